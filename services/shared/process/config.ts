import { readFileSync } from "node:fs";
import type { Keys } from "../kernel/keys";
import type { Profile } from "../kernel/profile";
import { isLongSecret } from "./secrets";

/** Reads one variable: a value, or the rule that its text breaks. */
export type Setting<T> = (text: string | undefined) => { value: T } | { problem: string };

type Settings = Record<string, Setting<unknown>>;
export type Configured<S extends Settings> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** Thrown once at start with every problem of the environment. Names variables and rules, never values. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Parses all settings from the environment, or reports all problems at once. Keys are the names of the variables. */
export function readSettings<S extends Settings>(settings: S, env: NodeJS.ProcessEnv): Configured<S> {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([name, setting]) => {
    const text = env[name] === "" ? undefined : env[name];
    const result = setting(text);
    if ("problem" in result) problems.push(`${name} ${result.problem}`);
    return [name, "value" in result ? result.value : undefined];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as Configured<S>;
}

const required = { problem: "is required" };

/** Required text. */
export const text: Setting<string> = (value) => (value === undefined ? required : { value });

/** The setting, or a fallback when the variable is not set. Never for secrets or peers. */
export const withDefault =
  <T>(setting: Setting<T>, fallback: T): Setting<T> =>
  (value) =>
    value === undefined ? { value: fallback } : setting(value);

/** The setting, or undefined when the variable is not set. */
export const optional =
  <T>(setting: Setting<T>): Setting<T | undefined> =>
  (value) =>
    value === undefined ? { value: undefined } : setting(value);

/** A whole number within bounds, both inclusive. */
export const integer =
  (min: number, max: number): Setting<number> =>
  (value) => {
    if (value === undefined) return required;
    const parsed = /^\d{1,15}$/.test(value) ? Number.parseInt(value, 10) : Number.NaN;
    return parsed >= min && parsed <= max
      ? { value: parsed }
      : { problem: `must be a whole number from ${min} to ${max}` };
  };

/** A TCP port; 0 asks the system for a free one. */
export const port: Setting<number> = integer(0, 65_535);

/** One of a few words. */
export const oneOf =
  <const T extends string>(...words: readonly T[]): Setting<T> =>
  (value) => {
    if (value === undefined) return required;
    const word = words.find((candidate) => candidate === value);
    return word === undefined ? { problem: `must be one of ${words.join(", ")}` } : { value: word };
  };

/** A URL with one of the given schemes. */
export const url =
  (...schemes: readonly string[]): Setting<string> =>
  (value) => {
    if (value === undefined) return required;
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : "";
    return schemes.includes(scheme) ? { value } : { problem: `must be a URL with scheme ${schemes.join(" or ")}` };
  };

/** The content of the named file, without its closing line break. Secrets come this way. */
export const fileContent: Setting<string> = (value) => {
  if (value === undefined) return required;
  try {
    const content = readFileSync(value, "utf8").trimEnd();
    return content === "" ? { problem: "must name a file that is not empty" } : { value: content };
  } catch {
    return { problem: "must name a readable file" };
  }
};

/** A secret that another party authenticates with. A guessable one is refused in every profile. */
export const secretFile: Setting<string> = (value) => {
  const content = fileContent(value);
  if ("problem" in content || isLongSecret(content.value)) return content;
  return { problem: "must name a file with a secret of 32 bytes or more" };
};

/** Path of a file that is readable now; for files that are read again while the process runs. */
export const readableFile: Setting<string> = (value) => {
  const content = fileContent(value);
  return "problem" in content ? content : { value: value ?? "" };
};

/** 256-bit keys as lines of 64 hex digits in the named file, newest first, without duplicates. */
export const keyRing: Setting<Keys> = (value) => {
  const content = fileContent(value);
  if ("problem" in content) return content;
  const lines = content.value.toLowerCase().split(/\r?\n/);
  const [newest = "", ...older] = lines;
  if (!lines.every((line) => /^[0-9a-f]{64}$/.test(line)))
    return { problem: "must name a file with lines of 64 hex digits" };
  if (new Set(lines).size < lines.length) return { problem: "must name a file with each key once" };
  return { value: [Buffer.from(newest, "hex"), ...older.map((line) => Buffer.from(line, "hex"))] };
};

const secretLine = /^([a-z0-9-]{1,63})=(\S{32,512})$/;

/** Secrets by name, as lines `name=secret` in the named file. Each has at least 32 characters, and no two are the same. */
export const namedSecrets: Setting<ReadonlyMap<string, string>> = (value) => {
  const content = fileContent(value);
  if ("problem" in content) return content;
  const lines = content.value.split(/\r?\n/).map((line) => secretLine.exec(line));
  const pairs = lines.flatMap((line) =>
    line?.[1] === undefined || line[2] === undefined ? [] : [[line[1], line[2]] as const],
  );
  const isLong = pairs.every(([, secret]) => isLongSecret(secret));
  const isGood =
    isLong && pairs.length === lines.length && new Set(pairs.map(([, secret]) => secret)).size === pairs.length;
  return isGood && new Set(pairs.map(([name]) => name)).size === pairs.length
    ? { value: new Map(pairs) }
    : { problem: "must name a file with lines name=secret, each secret different and at least 32 characters long" };
};

export const profile: Setting<Profile> = oneOf("local", "sandbox", "production");

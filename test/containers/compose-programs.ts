import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** A program of compose.yaml as its container is set up there. */
export interface ComposeProgram {
  name: string;
  environment: Readonly<Record<string, string>>;
  /** Folders that it may write to. */
  folders: readonly string[];
}

interface ComposeService {
  image: string;
  environment?: Readonly<Record<string, unknown>>;
  env_file?: readonly { path: string }[];
  volumes?: readonly string[];
}

const secretsFolder = "./.local/compose";

/** Reads the programs of our own image, with the settings that `writeComposeSecrets` has written to `dir`. */
export function composePrograms(dir: string): ComposeProgram[] {
  const { services } = parse(readFileSync("compose.yaml", "utf8"), { merge: true }) as {
    services: Readonly<Record<string, ComposeService>>;
  };
  return Object.entries(services)
    .filter(([, { image }]) => image.startsWith("corridor:"))
    .map(([name, { environment = {}, env_file: files = [], volumes = [] }]) => ({
      name,
      environment: Object.fromEntries([
        ...files.flatMap(({ path }) => settingsIn(path.replace(secretsFolder, dir))),
        ...Object.entries(environment).map(([key, value]) => [key, String(value)] as const),
      ]),
      folders: volumes.filter((one) => !one.startsWith(".")).map((one) => one.split(":")[1] ?? ""),
    }));
}

/** Lines `name=value` of a file. */
const settingsIn = (file: string): (readonly [string, string])[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const);

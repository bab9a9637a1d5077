import { hash, timingSafeEqual } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { Clock } from "../../services/shared/kernel/clock";
import type { Running } from "../../services/shared/process/lifecycle";
import { errorFields, type Logger } from "../../services/shared/process/logger";
import { repeat } from "../../services/shared/process/repeat";
import { type OperatorToken, parseOperatorTokens } from "./operator-tokens";

/** The operators, as their file names them now. */
export interface OperatorDirectory extends Running {
  /** Returns the operator who holds this token; undefined for an unknown or expired token. */
  find(token: string): OperatorToken | undefined;
  /** Names of the operators whose tokens are good now and have roles that fit. */
  namesWith(fits: (roles: OperatorToken["roles"]) => boolean): readonly string[];
}

export interface OperatorDirectoryDeps {
  /** The file, and its content at the start; undefined: there are no operators. */
  file: { path: string; tokens: ReadonlyMap<string, OperatorToken> } | undefined;
  clock: Clock;
  logger: Logger;
}

const fileIsLookedAtEveryMs = 500;

/** A mark that changes with the content of a file, taken without reading it. */
async function markOf(path: string): Promise<string> {
  const { mtimeMs, ctimeMs, size, ino } = await stat(path);
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}

/**
 * Follows the file, so that removing a line revokes its token without a restart. A file that cannot be read or understood changes nothing
 * and is reported.
 */
export function startOperatorDirectory({ file, clock, logger }: OperatorDirectoryDeps): OperatorDirectory {
  if (file === undefined) return { find: () => undefined, namesWith: () => [], stop: () => Promise.resolve() };
  let tokens = file.tokens;
  let lastMark: string | undefined;
  let lastText: string | undefined;
  let lastProblem: string | undefined;
  const tell = (error: unknown): void => {
    const problem = error instanceof Error ? error.message : String(error);
    if (problem !== lastProblem) logger.error(errorFields(error), "the tokens of operators cannot be read again");
    lastProblem = problem;
  };
  const read = async (): Promise<void> => {
    const mark = await markOf(file.path);
    if (mark === lastMark) return;
    const text = await readFile(file.path, "utf8");
    // Anything written after this check changes the mark.
    lastMark = mark;
    if (text === lastText) return;
    const next = parseOperatorTokens(text);
    if (next === undefined) throw new Error("a line is not a name, a token, roles and an end");
    if (lastText !== undefined) logger.info({ operators: [...next.keys()] }, "the tokens of operators were read again");
    [tokens, lastText, lastProblem] = [next, text, undefined];
  };
  const reading = repeat(fileIsLookedAtEveryMs, read, tell);
  const isOver = ({ until }: OperatorToken): boolean => until !== undefined && until <= clock.now();
  return {
    find(token) {
      const known = [...tokens.values()].filter((one) => isSameText(token, one.token));
      const [operator] = known;
      return operator === undefined || isOver(operator) ? undefined : operator;
    },
    namesWith: (fits) => [...tokens.values()].filter((one) => !isOver(one) && fits(one.roles)).map(({ name }) => name),
    stop: reading.stop,
  };
}

/** Compares digests, so that time reveals nothing about the secret, not even its length. */
function isSameText(one: string, other: string): boolean {
  const digest = (text: string): Buffer => Buffer.from(hash("sha256", text, "hex"), "hex");
  return timingSafeEqual(digest(one), digest(other));
}

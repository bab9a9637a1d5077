import { readFileSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Running } from "../shared/lifecycle";
import { errorFields, type Logger } from "../shared/logger";
import { repeat } from "../shared/repeat";
import { parseScreeningList, type ScreeningList, screen } from "./domain/screening";
import type { Screening } from "./ports";

const lookMs = 500;

/** What tells one content of a file from the next without reading it. */
const markOf = ({ mtimeMs, size, ino }: { mtimeMs: number; size: number; ino: number }): string =>
  `${mtimeMs} ${size} ${ino}`;

/**
 * The list in a file, read again when the file changes. Throws while it cannot be read at first; later a file that cannot
 * be read leaves the list that is in use in force.
 */
export function openScreeningList(path: string, logger: Logger): Screening & Running {
  let mark = markOf(statSync(path));
  let list = announced(parseScreeningList(readFileSync(path, "utf8")));

  function announced(read: ScreeningList): ScreeningList {
    logger.info({ listVersion: read.version, entries: read.entries.length }, "screening list loaded");
    return read;
  }
  const look = async (): Promise<void> => {
    const present = markOf(await stat(path));
    if (present === mark) return;
    mark = present;
    list = announced(parseScreeningList(await readFile(path, "utf8")));
  };
  const looking = repeat(lookMs, look, (error) =>
    logger.error(errorFields(error), "the screening list cannot be read; the one before stays in force"),
  );
  return {
    version: () => list.version,
    screen: (...people) => ({ hits: screen(list, ...people), listVersion: list.version }),
    stop: () => looking.stop(),
  };
}

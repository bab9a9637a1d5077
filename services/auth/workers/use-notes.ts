import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { CredentialStore } from "../store/credential-store";

/** Records the last use of credentials, without a write per use. */
export interface UseNotes extends Running {
  note(id: string): void;
}

const writeEveryMs = 5_000;
/** A use within this time of the last one needs no write. */
const notedForMs = 60_000;
const capacity = 10_000;

/** Writes the uses of a few seconds together. A crash loses only what the next use records again. */
export function startUseNotes(credentials: Pick<CredentialStore, "noteUses">, clock: Clock, logger: Logger): UseNotes {
  const noted = new Map<string, Date>();
  let waiting = new Map<string, Date>();
  const write = async (): Promise<void> => {
    const uses = waiting;
    waiting = new Map();
    await credentials.noteUses(uses);
  };
  const writing = repeat(writeEveryMs, write, (error) =>
    logger.warn(errorFields(error), "uses of credentials could not be stored"),
  );
  return {
    note(id) {
      const now = clock.now();
      const last = noted.get(id);
      if (last !== undefined && now < plusMs(last, notedForMs)) return;
      if (noted.size >= capacity) noted.clear();
      noted.set(id, now);
      waiting.set(id, now);
    },
    async stop() {
      await writing.stop();
      await write();
    },
  };
}

import type { Ids } from "../services/shared/ids";
import type { Logger } from "../services/shared/logger";
import type { Callbacks } from "./callbacks";
import type { Database } from "./database";
import type { Duties } from "./duties";
import type { Faults } from "./faults";
import type { WorldClock } from "./world-clock";

/** What every provider of this world stands on. */
export interface World {
  database: Database;
  clock: WorldClock;
  ids: Ids;
  faults: Faults;
  callbacks: Callbacks;
  duties: Duties;
  logger: Logger;
}

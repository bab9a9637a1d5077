import type { Ids } from "../services/shared/kernel/ids";
import type { Logger } from "../services/shared/process/logger";
import type { Acts } from "./acts";
import type { Callbacks } from "./callbacks";
import type { Database } from "./database";
import type { Duties } from "./duties";
import type { Faults } from "./faults";
import type { Movements } from "./movements";
import type { Serve } from "./serve";
import type { WorldClock } from "./world-clock";

/** The shared parts of every provider. */
export interface World {
  database: Database;
  clock: WorldClock;
  ids: Ids;
  faults: Faults;
  callbacks: Callbacks;
  duties: Duties;
  movements: Movements;
  acts: Acts;
  serve: Serve;
  logger: Logger;
}

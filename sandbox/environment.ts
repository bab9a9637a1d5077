import type { Ids } from "../services/shared/kernel/ids";
import type { Logger } from "../services/shared/process/logger";
import type { Acts } from "./acts";
import type { Callbacks } from "./callbacks";
import type { Database } from "./database";
import type { Faults } from "./faults";
import type { Movements } from "./movements";
import type { SandboxClock } from "./sandbox-clock";
import type { ScheduledJobs } from "./scheduled-jobs";
import type { Serve } from "./serve";

/** The shared parts of every provider. */
export interface Environment {
  database: Database;
  clock: SandboxClock;
  ids: Ids;
  faults: Faults;
  callbacks: Callbacks;
  jobs: ScheduledJobs;
  movements: Movements;
  acts: Acts;
  serve: Serve;
  logger: Logger;
}

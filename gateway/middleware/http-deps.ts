import type { ErrorReason } from "../../services/shared/kernel/errors";
import type { Ids } from "../../services/shared/kernel/ids";
import type { Logger } from "../../services/shared/process/logger";
import type { Tracing } from "../../services/shared/process/tracing";
import type { AdmissionControl } from "../admission-control";
import type { Audit } from "../audit";
import type { Authenticate } from "../authenticate";
import type { Doors } from "../doors";
import type { FourEyes } from "../operator/four-eyes";
import type { PeerReader } from "../peer";
import type { Limits, RateLimiter } from "../rate-limiter";
import type { RequestTime } from "../request-time";
import type { StrangerBudget } from "../stranger-budget";
import type { TenantAdmission } from "../tenant-admission";
import type { Step } from "./exchange";

/** Dependencies of the middleware of all routes. */
export interface HttpDeps {
  authenticate: Authenticate;
  peerOf: PeerReader;
  /** Checks of a door on every request, before its route is looked up. */
  enter: readonly Step[];
  /** Headers of every answer of the door, beside the common ones. */
  doorHeaders: Readonly<Record<string, string>>;
  fourEyes: FourEyes;
  gate: Pick<AdmissionControl, "enter" | "requireCalm">;
  doors: Pick<Doors, "known" | "hold" | "silenceSeconds">;
  strangers: StrangerBudget;
  limiter: Pick<RateLimiter, "take">;
  limits: Omit<Limits, "token" | "tokenFailure">;
  tenantAdmission: TenantAdmission;
  /** Places for incoming bodies, by credential. */
  bodies: TenantAdmission;
  time: Pick<RequestTime, "extend">;
  audit: Audit;
  isDraining(): boolean;
  /** Called with every refused unknown caller. */
  refusedAnonymous(reason: ErrorReason): void;
  /** Called with every request that was refused because it contained a card number. */
  refusedCardNumber(): void;
  logger: Logger;
  tracing: Tracing;
  requestServed(route: string, status: number, durationMs: number): void;
  ids: Pick<Ids, "uuid">;
}

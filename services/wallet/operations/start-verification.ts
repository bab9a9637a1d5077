import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { Verification, VerificationStore } from "../store/verification-store";
import type { VerifyLedger } from "./verify-ledger";

export interface StartVerificationDeps {
  verifyLedger: VerifyLedger;
  verifications: VerificationStore;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  pause(ms: number): Promise<void>;
  onError(error: unknown): void;
}

/** Starts a verification of the ledger, or returns the one with the id. */
export type StartVerification = (id: string | undefined) => Promise<Verification>;

/** How long a caller waits, because a verification may be short. */
const patienceMs = 3_000;

export const makeStartVerification =
  (deps: StartVerificationDeps): StartVerification =>
  async (id) => {
    if (id !== undefined) return await requireVerification(deps, id);
    const nothing = {
      finishedAt: undefined,
      accounts: 0,
      entries: 0,
      rows: 0,
      checkpoints: 0,
      anchors: 0,
      findings: [],
    };
    const begun: Verification = { id: deps.ids.uuid(), startedAt: deps.clock.now(), ...nothing };
    await deps.verifications.save(begun);
    const walk = async (): Promise<void> => {
      const report = await deps.verifyLedger();
      await deps.verifications.save({ ...begun, ...report, finishedAt: deps.clock.now() });
    };
    await Promise.race([walk().catch(deps.onError), deps.pause(patienceMs)]);
    return await requireVerification(deps, begun.id);
  };

async function requireVerification({ verifications }: StartVerificationDeps, id: string): Promise<Verification> {
  const found = await verifications.find(id);
  if (found === undefined) throw new DomainError("WALLET_NOT_FOUND", "there is no such verification");
  return found;
}

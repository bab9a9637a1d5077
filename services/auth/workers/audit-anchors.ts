import { type Anchors, anchorOf } from "../../shared/crypto/anchor";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { gauge, type Metrics } from "../../shared/process/metrics";
import { repeat } from "../../shared/process/repeat";
import type { Lease } from "../../shared/storage/lease";
import type { AuditKeys } from "../domain/audit-chain";
import type { CompareAnchors } from "../operations/compare-anchors";
import type { AuditStore } from "../store/audit-store";

export interface AuditAnchorsDeps {
  audit: Pick<AuditStore, "head">;
  keys: AuditKeys;
  anchors: readonly Anchors[];
  compareAnchors: CompareAnchors;
  lease: Lease;
  everyMs: number;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Anchors the end of the audit chain outside the store repeatedly, at one replica. Compares each place first: a place that
 * the chain does not match gets no more anchors, so that it keeps the evidence.
 */
export function startAuditAnchors(deps: AuditAnchorsDeps): Running {
  const { anchors, compareAnchors, lease, everyMs, logger } = deps;
  const faults = new Map<Anchors, number>();
  const told = new Set<string>();
  const [name, help] = ["corridor_audit_anchor_faults", "Anchors that the audit log does not match."];
  gauge(deps.metrics, name, help, () => [...faults.values()].reduce((sum, count) => sum + count, 0));
  const put = makePutting(deps);
  const anchorAll = async (): Promise<void> => {
    for (const place of anchors) {
      if (!(await lease.hold())) return;
      const report = await compareAnchors([place]);
      faults.set(place, report.faults.length);
      for (const fault of report.faults.filter(({ detail }) => !told.has(detail))) {
        told.add(fault.detail);
        logger.error({ ...fault }, "the audit log is not what was anchored");
      }
      if (report.faults.length === 0) await put(place);
    }
  };
  return stopAll([
    { stop: () => lease.release() },
    repeat(everyMs, anchorAll, (error) => logger.warn(errorFields(error), "the audit log could not be anchored")),
  ]);
}

/** Anchors the end of the chain, unless this process has already anchored it at that place. */
function makePutting({ audit, keys, logger }: AuditAnchorsDeps): (place: Anchors) => Promise<void> {
  const anchored = new Map<Anchors, number>();
  return async (place) => {
    const { sequence: number, hash: seal } = await audit.head();
    if (number === 0 || anchored.get(place) === number) return;
    try {
      await place.add(anchorOf(keys.newest.key, { number, seal }));
      anchored.set(place, number);
    } catch (error) {
      logger.warn({ number, ...errorFields(error) }, "a record of the audit log could not be anchored yet");
    }
  };
}

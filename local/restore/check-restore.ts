import { readAcceptances } from "./acceptance";
import { checkBus, checkProviders } from "./check-bus";
import { checkAudit, checkLedger } from "./check-chains";
import { checkConsumers, checkInstants } from "./check-databases";
import { finding, type RestoreFinding } from "./finding";
import type { PublishedPayment } from "./published-events";
import { type RestoredPlatform, serviceNames } from "./restored-platform";

/** Findings about a restored platform. */
export interface RestoreReport {
  /** The time of the backup, as far as the services' watermarks show. */
  restoredTo: string | undefined;
  watermarks: Readonly<Record<string, string | undefined>>;
  /** Time of the acceptance; absent before. */
  acceptedAt?: string;
  /** True when nothing prevents the services from starting. */
  mayStart: boolean;
  findings: RestoreFinding[];
}

export interface CheckedRestore {
  report: RestoreReport;
  /** Payments that only the bus knows. */
  lost: readonly PublishedPayment[];
}

/** Checks a restored platform with stopped services. Changes nothing. */
export async function checkRestore(platform: RestoredPlatform): Promise<CheckedRestore> {
  const { watermarks, restoredTo } = platform;
  const instants = checkInstants(platform);
  const accepted = await readAcceptances(platform);
  const { findings: busFindings, lost } = await checkBus(platform);
  const numbers = finding(
    "NUMBERS_IN_USE",
    "numbers and positions published after the backup would be used again: accepting this continues at new numbers",
  );
  const findings = [
    ...instants,
    ...(instants.some(({ code }) => code === "DATABASE_MISSING")
      ? []
      : [...(await checkConsumers(platform)), ...(await checkLedger(platform)), ...(await checkAudit(platform))]),
    ...busFindings,
    numbers,
    ...(await checkProviders(platform)),
  ].filter(({ code }) => accepted?.codes.has(code) !== true);
  const times = serviceNames.map((name) => [name, watermarks[name]?.toISOString()] as const);
  return {
    lost,
    report: {
      restoredTo: restoredTo?.toISOString(),
      watermarks: Object.fromEntries(times),
      ...(accepted === undefined ? {} : { acceptedAt: accepted.at.toISOString() }),
      mayStart: findings.every(({ weight }) => weight === "info"),
      findings,
    },
  };
}

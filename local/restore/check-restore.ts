import { readAcceptances } from "./acceptance";
import { checkAudit, checkLedger } from "./check-chains";
import { checkConsumers, checkInstants } from "./check-databases";
import { checkBus, checkProviders } from "./check-told";
import { finding, type RestoreFinding } from "./finding";
import { type RestoredPlatform, serviceNames } from "./restored-platform";
import type { ToldPayment } from "./told-events";

/** What was seen of a restored platform. */
export interface RestoreReport {
  /** The time of the backup, as far as the services' watermarks tell. */
  restoredTo: string | undefined;
  watermarks: Readonly<Record<string, string | undefined>>;
  /** When what may be accepted was accepted; absent before. */
  acceptedAt?: string;
  /** True when nothing keeps the services from starting. */
  mayStart: boolean;
  findings: RestoreFinding[];
}

export interface CheckedRestore {
  report: RestoreReport;
  /** Payments that only the bus knows. */
  lost: readonly ToldPayment[];
}

/** Looks at a restored platform of which no service runs. Nothing is changed. */
export async function checkRestore(platform: RestoredPlatform): Promise<CheckedRestore> {
  const { watermarks, restoredTo } = platform;
  const instants = checkInstants(platform);
  const accepted = await readAcceptances(platform);
  const { findings: told, lost } = await checkBus(platform);
  const numbers = finding(
    "NUMBERS_IN_USE",
    "what was told after the backup has numbers and positions that would be given again: later ones are begun at new numbers",
  );
  const findings = [
    ...instants,
    ...(instants.some(({ code }) => code === "DATABASE_MISSING")
      ? []
      : [...(await checkConsumers(platform)), ...(await checkLedger(platform)), ...(await checkAudit(platform))]),
    ...told,
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
      mayStart: findings.every(({ weight }) => weight === "told"),
      findings,
    },
  };
}

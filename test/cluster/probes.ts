import { setTimeout as sleep } from "node:timers/promises";
import type { Container } from "../../local/chart/manifest";

type Probe = NonNullable<Container["startupProbe"]>;

export interface ProbeHearer {
  started(): void;
  ready(is: boolean): void;
  /** It is to be ended and started again. */
  hung(why: string): void;
}

/** Asks a container's probes as the kubelet does, until the signal. */
export async function askProbes(
  container: Container,
  address: string,
  signal: AbortSignal,
  hearer: ProbeHearer,
): Promise<void> {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const isGood = (probe: Probe): Promise<boolean> => answersWell(probe, container, address);
  const untilFailed = async (probe: Probe, hear: (is: boolean) => void = () => {}): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      failures = (await isGood(probe)) ? 0 : failures + 1;
      if (signal.aborted) return;
      if (failures === 0) hear(true);
      if (failures >= (probe.failureThreshold ?? 3)) return hear(false);
      await pause(probe.periodSeconds ?? 10, signal);
    }
  };
  if (startupProbe !== undefined && !(await succeeds(startupProbe, isGood, signal))) {
    if (!signal.aborted) hearer.hung("startup");
    return;
  }
  if (signal.aborted) return;
  hearer.started();
  const readiness = async (): Promise<void> => {
    if (readinessProbe === undefined) return hearer.ready(true);
    while (!signal.aborted) await untilFailed(readinessProbe, hearer.ready);
  };
  const liveness = async (): Promise<void> => {
    if (livenessProbe !== undefined) await untilFailed(livenessProbe);
    if (livenessProbe !== undefined && !signal.aborted) hearer.hung("liveness");
  };
  await Promise.all([readiness(), liveness()]);
}

async function succeeds(probe: Probe, isGood: (probe: Probe) => Promise<boolean>, signal: AbortSignal) {
  for (let failures = 0; failures < (probe.failureThreshold ?? 3) && !signal.aborted; failures += 1) {
    if (await isGood(probe)) return true;
    await pause(probe.periodSeconds ?? 10, signal);
  }
  return false;
}

/** What is no answer of 200 to 399 in time has failed. */
async function answersWell(
  { httpGet, timeoutSeconds = 1 }: Probe,
  { ports = [] }: Container,
  address: string,
): Promise<boolean> {
  if (httpGet === undefined) throw new Error("only probes over HTTP are asked here");
  const port = ports.find(({ name }) => name === httpGet.port)?.containerPort ?? httpGet.port;
  try {
    const signal = AbortSignal.timeout(timeoutSeconds * 1_000);
    const { status } = await fetch(`http://${address}:${port}${httpGet.path}`, { signal });
    return status >= 200 && status < 400;
  } catch {
    return false;
  }
}

/** Waits for so long, or for the signal. */
export const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);

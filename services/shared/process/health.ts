/** The answer to a probe of this process. */
export interface HealthAnswer {
  isGood: boolean;
  /** Why not: names of the needs that do not answer, or the phase of the process. */
  missing: readonly string[];
}

/** Tracks whether this process has started and can do its work. Any answer proves that it is alive. */
export interface Health {
  /** Adds a dependency that the process cannot work without. `ask` rejects or does not answer while it is away. */
  need(name: string, ask: () => Promise<unknown>): void;
  /** Marks the start as complete. */
  started(): void;
  /** Marks the process as stopping, so that it is sent no more work. */
  stopping(): void;
  /** Marks the process as unable to work for now although all its dependencies answer. */
  setServing(isServing: boolean): void;
  startup(): HealthAnswer;
  readiness(): Promise<HealthAnswer>;
}

/** Longest wait for a dependency, milliseconds. A probe waits 3 s. */
const answerWithinMs = 1_500;

/** Health of one process. Each dependency is asked once at a time, however many probes arrive. */
export function makeHealth(withinMs = answerWithinMs): Health {
  let phase: "starting" | "started" | "stopping" = "starting";
  let isServing = true;
  const needs = new Map<string, () => Promise<boolean>>();
  const answer = (missing: readonly string[]): HealthAnswer => ({ isGood: missing.length === 0, missing });
  return {
    need: (name, ask) =>
      void needs.set(
        name,
        oneAtATime(() => answersWithin(ask, withinMs)),
      ),
    started() {
      if (phase === "starting") phase = "started";
    },
    stopping() {
      phase = "stopping";
    },
    setServing(now) {
      isServing = now;
    },
    startup: () => answer(phase === "starting" ? ["start"] : []),
    async readiness() {
      if (phase !== "started") return answer([phase === "starting" ? "start" : "stop"]);
      const asked = await Promise.all([...needs].map(async ([name, ask]) => ((await ask()) ? [] : [name])));
      return answer([...(isServing ? [] : ["serving"]), ...asked.flat()]);
    },
  };
}

function oneAtATime(ask: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function answersWithin(ask: () => Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([ask().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

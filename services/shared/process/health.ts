/** What a probe of this process is told. */
export interface HealthAnswer {
  isGood: boolean;
  /** Why not: names of what does not answer, or the phase of the process. */
  missing: readonly string[];
}

/** Whether this process has started, and whether it can do its work. That it is alive shows in that it answers at all. */
export interface Health {
  /** Names something that the process cannot work without. `ask` rejects, or does not answer, while it is away. */
  need(name: string, ask: () => Promise<unknown>): void;
  /** The start is complete. */
  started(): void;
  /** The process is about to end: whoever sends it work is to stop. */
  stopping(): void;
  /** Something in the process says that it cannot do its work for now, although everything that it needs answers. */
  setServing(isServing: boolean): void;
  startup(): HealthAnswer;
  readiness(): Promise<HealthAnswer>;
}

/** A probe waits for 3 s; what takes longer than this has not answered. */
const answerWithinMs = 1_500;

/** Health of one process. Each need is asked once at a time, however many probes come. */
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

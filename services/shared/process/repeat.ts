import type { Running } from "./lifecycle";

/** Runs `work` repeatedly with a pause between runs, one at a time, until it is stopped. A failure ends one run only. */
export function repeat(pauseMs: number, work: () => Promise<void>, onError: (error: unknown) => void): Running {
  let isStopped = false;
  let wake = (): void => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      await work().catch(onError);
      if (!isStopped) await pause();
    }
  };
  const ended = loop();
  return {
    async stop() {
      isStopped = true;
      wake();
      await ended;
    },
  };
}

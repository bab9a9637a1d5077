import { get } from "node:http";
import { type Clock, plusMs, systemClock } from "../kernel/clock";
import type { Running } from "./lifecycle";

const pauseMs = 500;
/** Longer than the sandbox holds a request. */
const timeoutMs = 30_000;
const maxBytes = 1_024;

interface Setting {
  version: number;
  offsetMs: number;
}

/**
 * Follows the clock of the sandbox, which runs ahead of the machine's by an offset, so that users can make a quote expire
 * or a hold lapse. It polls `GET {url}?after={version}`; each answer comes once the sandbox's clock has moved since that
 * version. While the sandbox does not answer it keeps the last offset, at first zero.
 */
export function followClock(url: string): Running & { clock: Clock } {
  let last: Setting = { version: -1, offsetMs: 0 };
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const setting = await ask(`${url}?after=${last.version}`, stopping.signal);
      if (setting === undefined) await pause(stopping.signal);
      else {
        const isMoved = setting.offsetMs !== last.offsetMs;
        last = setting;
        if (isMoved) for (const listener of listeners) listener();
      }
    }
  };
  const ended = follow();
  return {
    clock: {
      now: () => plusMs(systemClock.now(), last.offsetMs),
      onMove(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Asks for the setting; undefined without a usable answer. */
const ask = (url: string, signal: AbortSignal): Promise<Setting | undefined> =>
  new Promise((resolve) => {
    const request = get(url, { signal, timeout: timeoutMs }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > maxBytes) request.destroy();
      });
      response.on("close", () => resolve(response.statusCode === 200 ? parseSetting(text) : undefined));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(undefined));
  });

function parseSetting(text: string): Setting | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || !("version" in body) || !("offsetMs" in body)) return undefined;
    const { version, offsetMs } = body;
    if (typeof version !== "number" || typeof offsetMs !== "number" || !Number.isSafeInteger(offsetMs))
      return undefined;
    return { version, offsetMs };
  } catch {
    return undefined;
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    signal.addEventListener("abort", end);
  });

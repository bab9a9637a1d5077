import { useQueryClient } from "@tanstack/react-query";
import { createContext, createElement, type ReactNode, useContext, useEffect, useState } from "react";
import { callTenant } from "./api";
import { Problem } from "./problem";
import { useMe } from "./session";

/** Name of the lock that one page of the browser holds, and of the channel on which it notifies the others. */
const name = "corridor.live";
const waitSeconds = 8;
const restMs = { first: 1_000, most: 15_000 };
/** A single event is shown at once; in a burst, data is requested at most once per this time, milliseconds. */
const paceMs = 800;
/** Deliveries are made after the events that they report. */
const aftermathMs = [1_500, 4_000];

interface Told {
  readonly tenant: string;
  /** Position at which the feed continues. */
  readonly next: string;
  readonly isNews: boolean;
}

interface LiveDeps {
  readonly tenant: string;
  readonly onNews: () => void;
  readonly onState: (isLive: boolean) => void;
}

/**
 * Follows the feed on one page of the browser for all of them: the page that holds the lock waits for events and notifies the others. A
 * hidden page requests nothing; once it is visible again, it requests everything again.
 */
function followEvents({ tenant, onNews, onState }: LiveDeps): () => void {
  const channel = new BroadcastChannel(name);
  let place = "newest";
  let visit: AbortController | undefined;
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.tenant !== tenant) return;
    place = data.next;
    onState(true);
    if (data.isNews) onNews();
  };
  const lead = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const page = await readOn(place, signal);
        const isNews = page.events.length > 0 || failures > 0;
        failures = 0;
        place = page.next;
        onState(true);
        channel.postMessage({ tenant, next: place, isNews } satisfies Told);
        if (isNews) onNews();
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        onState(false);
        // A position that is no longer kept: everything is requested again from here.
        if (error instanceof Problem && error.status === 400) place = "newest";
        await rest(restOf(error, failures), signal);
      }
    }
  };
  const show = (): void => {
    const isHidden = document.visibilityState === "hidden";
    if (isHidden === (visit === undefined)) return;
    visit?.abort();
    visit = isHidden ? undefined : new AbortController();
    if (visit === undefined) return;
    const { signal } = visit;
    onNews();
    void navigator.locks.request(`${name} ${tenant}`, { signal }, () => lead(signal)).catch(() => undefined);
  };
  show();
  document.addEventListener("visibilitychange", show);
  return () => {
    document.removeEventListener("visibilitychange", show);
    visit?.abort();
    channel.close();
  };
}

const readOn = (after: string, signal: AbortSignal) =>
  callTenant(
    "GET /organizations/{tenant}/events",
    // The end of a feed is returned at once.
    { query: { after, limit: 200, wait: after === "newest" ? 0 : waitSeconds } },
    { signal, isBackground: true },
  );

function restOf(error: unknown, failures: number): number {
  const asked = error instanceof Problem ? error.waitSeconds : undefined;
  return asked === undefined ? Math.min(restMs.most, restMs.first * 2 ** (failures - 1)) : asked * 1_000;
}

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      window.clearTimeout(timer);
      resolve();
    });
  });

/** True while changes are reported; undefined where there is no feed. */
const Context = createContext<boolean | undefined>(undefined);

/** Requests the page's data again whenever something has happened to the tenant. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { tenants, permissions } = useMe();
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState<boolean | undefined>();
  const tenant = permissions.includes("events:read") ? tenants[0]?.tenant : undefined;
  useEffect(() => {
    if (tenant === undefined) return undefined;
    const again = (): void => {
      void queries.invalidateQueries({ predicate: ({ meta }) => meta?.["isTold"] === true });
    };
    const paced = makePaced(again);
    const stop = followEvents({ tenant, onNews: paced.call, onState: setIsLive });
    return () => {
      stop();
      paced.stop();
      setIsLive(undefined);
    };
  }, [tenant, queries]);
  return createElement(Context, { value: isLive }, children);
}

/** Calls at once, not more often than the pace, and twice more when calls have ceased. */
function makePaced(run: () => void): { readonly call: () => void; readonly stop: () => void } {
  let timers: number[] = [];
  let lastAt = 0;
  const stop = (): void => {
    for (const timer of timers) window.clearTimeout(timer);
  };
  const now = (): void => {
    lastAt = Date.now();
    run();
  };
  return {
    stop,
    call() {
      stop();
      const leftMs = lastAt + paceMs - Date.now();
      if (leftMs <= 0) now();
      timers = [...(leftMs > 0 ? [leftMs] : []), ...aftermathMs].map((ms) => window.setTimeout(now, ms));
    },
  };
}

export const useIsLive = (): boolean | undefined => useContext(Context);

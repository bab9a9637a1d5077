import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { HttpRequest } from "./http-connection";

interface JobFacts {
  /** Requests that are under way at the same time. */
  inFlight: number;
  /** Server processes whose processor time is counted. */
  pids: readonly number[];
  /** The load ends after this time, or after this many requests. */
  seconds?: number;
  count?: number;
  /** Open loop: requests go out at this rate, and latency counts from when each should have gone. */
  perSecond?: number;
  /** Processor time counts until what the requests started in the background is done. */
  includesBackground?: boolean;
}

/** Requests over HTTP, sent in turn. In a body, `$ID` becomes a fresh id and `$QUOTE` a quote that was taken before. */
export interface HttpJob extends JobFacts {
  kind: "http";
  port: number;
  requests: readonly HttpRequest[];
  /** Asks for one quote. Takes `count` of them before the load begins. */
  quote?: HttpRequest;
  /** Every answer must be 200 and hold this text. */
  includes: string;
}

/** Look-ups of one payment over gRPC. */
export interface RpcJob extends JobFacts {
  kind: "rpc";
  target: string;
  tenant: string;
  externalPaymentId: string;
}

export type LoadJob = HttpJob | RpcJob;

export interface LoadResult {
  answered: number;
  seconds: number;
  perSecond: number;
  meanMs: number;
  p99Ms: number;
  /** Processor time of the server processes per request, µs. */
  cpuMicros: number;
  /** Until the last background work was done; the same as `seconds` where it is not waited for. */
  secondsToIdle: number;
}

/** The one process that all load comes from. */
export interface Load {
  /** Runs one job. Throws when a single answer is wrong. */
  run(job: LoadJob): Promise<LoadResult>;
  stop(): void;
}

export type LoadReply = { result: LoadResult } | { error: string };

export function startLoad(): Load {
  const child: ChildProcess = fork(join(__dirname, "load-generator.js"));
  process.once("exit", () => child.kill("SIGKILL"));
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const lost = (): void => reject(new Error("the load generator ended"));
        child.once("exit", lost);
        child.once("message", (reply: LoadReply) => {
          child.off("exit", lost);
          if ("result" in reply) resolve(reply.result);
          else reject(new Error(reply.error));
        });
        child.send(job);
      }),
    stop: () => void child.kill("SIGKILL"),
  };
}

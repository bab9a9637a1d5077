import type { ServerResponse } from "node:http";
import { holdsCardNumber } from "../../services/shared/kernel/card-number";
import { monotonicMs, systemClock } from "../../services/shared/kernel/clock";
import type { Ids } from "../../services/shared/kernel/ids";
import { runInCall } from "../../services/shared/process/call-context";
import { parseTraceparent } from "../../services/shared/process/traceparent";
import { type RequestHead, requireClearHead } from "../request-head";
import { requireDecodable } from "../request-target";
import type { Step } from "./exchange";

/** Longest time for answering a request; the calls that it makes get the time that remains. */
const answerWithinMs = 10_000;

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** Names the request and opens its call context, in which everything after it runs. */
export const openExchange =
  (ids: Pick<Ids, "uuid">): Step =>
  (request, { locals }, next) => {
    locals.startMs = monotonicMs();
    locals.requestId = requestIdOf(request.headers["x-request-id"], ids);
    locals.held = [];
    locals.about = {};
    const traceparent = traceOf(request.headers["traceparent"]);
    // Deadlines are in real time, whatever the business time is.
    const deadlineMs = systemClock.now().getTime() + answerWithinMs;
    const { requestId, about } = locals;
    runInCall({ requestId, deadlineMs, about, ...traceparent }, next);
  };

export const requireClearRequest: Step = (request, response, next) => {
  requireClear(request, response);
  next();
};

/** Refuses an ambiguous request, and ends its connection: what follows may be a part of it. */
export function requireClear(request: RequestHead, response: Pick<ServerResponse, "shouldKeepAlive">): void {
  try {
    requireClearHead(request);
  } catch (error) {
    response.shouldKeepAlive = false;
    throw error;
  }
  requireDecodable(request.originalUrl);
}

function requestIdOf(given: string | string[] | undefined, ids: Pick<Ids, "uuid">): string {
  // The id appears in logs, in the audit log and in what other services write.
  const isGood = typeof given === "string" && requestIdPattern.test(given) && !holdsCardNumber(given);
  return isGood ? given : ids.uuid();
}

/** The caller's trace, unless it could be taken for a card number, which would then appear in all logs. */
function traceOf(given: string | string[] | undefined): { traceparent?: string } {
  const isGood = typeof given === "string" && parseTraceparent(given) !== undefined && !holdsCardNumber(given);
  return isGood ? { traceparent: given } : {};
}

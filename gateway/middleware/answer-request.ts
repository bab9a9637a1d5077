import type { ErrorRequestHandler } from "express";
import { cardRule } from "../../services/shared/kernel/card-number";
import { monotonicMs } from "../../services/shared/kernel/clock";
import { type DomainError, hasReason } from "../../services/shared/kernel/errors";
import { errorFields } from "../../services/shared/process/logger";
import { asRefusal } from "../../services/shared/rpc/rpc-errors";
import { shareHeaders } from "../rate-limiter";
import { refusalFields } from "../refusal-fields";
import { publicErrors, renderError, renderOauthError } from "../render-error";
import type { Answer } from "../route";
import { sendAnswer } from "../send-answer";
import { recordRefusal } from "./audit-call";
import { type Exchange, type GatewayResponse, routeName } from "./exchange";
import type { Reply } from "./handle-route";
import type { HttpDeps } from "./http-deps";

type ReplyDeps = Pick<HttpDeps, "requestServed" | "logger" | "doors" | "strangers" | "isDraining" | "doorHeaders">;

/** Makes the step that ends every request: it releases what the request held, measures and logs it, and writes the answer. */
export const makeReply =
  (deps: ReplyDeps): Reply =>
  (response, answer) => {
    const { locals } = response;
    for (const release of locals.held.splice(0).toReversed()) release();
    locals.endSpan?.();
    const told = withCommonHeaders(answer, locals, deps);
    noteServed(told, locals, deps);
    const { requestId } = locals;
    const { secure: isSecure } = response.req;
    const { doors, doorHeaders } = deps;
    sendAnswer(response, told, { requestId, isSecure, isDraining: deps.isDraining(), doors, doorHeaders });
  };

/** A stranger that has used up its share is only counted and disconnected; otherwise each of its further requests would cost a log line. */
const isStrangerOver = ({ status }: Answer, { caller }: Exchange): boolean => status === 429 && caller === undefined;

function withCommonHeaders(answer: Answer, locals: Exchange, { strangers }: Pick<ReplyDeps, "strangers">): Answer {
  const { share, caller, isProven = false, peer } = locals;
  const limits = share === undefined ? {} : shareHeaders(share);
  // A failure of ours counts against no caller.
  const isStrangers = caller === undefined && !isProven && answer.status < 500;
  const isOver = isStrangers && peer !== undefined && !strangers.serve(peer.address);
  const farewell = isOver || isStrangerOver(answer, locals) ? { connection: "close" } : {};
  return { ...answer, headers: { ...answer.headers, ...limits, ...farewell } };
}

function noteServed(answer: Answer, locals: Exchange, deps: Pick<ReplyDeps, "requestServed" | "logger">): void {
  const { route, startMs, requestId, caller, traceparent, refusal, about } = locals;
  const name = routeName(route);
  const durationMs = monotonicMs() - startMs;
  deps.requestServed(name, answer.status, durationMs);
  if (route?.isQuiet === true || isStrangerOver(answer, locals)) return;
  const fields = { route: name, status: answer.status, durationMs: Math.round(durationMs * 10) / 10 };
  const who = { tenant: caller?.tenant, requestId, traceparent };
  deps.logger.info({ ...fields, ...about, ...refusalFields(refusal), ...who }, "request");
}

/** The one error-handling middleware: it answers whatever is thrown on the way of a request. */
export const answerRefusal =
  (
    reply: Reply,
    deps: Pick<HttpDeps, "audit" | "logger" | "refusedCardNumber">,
  ): ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, Exchange> =>
  async (error, request, response, next) => {
    // Express aborts the connection, so that half an answer is not mistaken for a whole one.
    if (response.headersSent) {
      next(error);
      return;
    }
    const { locals } = response;
    const refusal = asRefusal(error);
    await recordRefusal(refusal.reason, response, deps);
    if (isOfCard(refusal)) deps.refusedCardNumber();
    locals.refusal = refusal;
    // Only a failure of ours marks the span as failed; a refused request was served well.
    if (publicErrors[refusal.reason].status >= 500) locals.endSpan?.(error);
    if (refusal.reason === "INTERNAL") {
      const { requestId, route } = locals;
      deps.logger.error({ route: routeName(route), requestId, ...errorFields(refusal) }, "request failed");
    }
    reply(response, render(refusal, request.headers.authorization !== undefined, response));
  };

const unproven = ["UNAUTHENTICATED", "ROLE_MISSING", "SECOND_FACTOR_MISSING"] as const;

const isOfCard = ({ message, violations }: DomainError): boolean =>
  message.endsWith(cardRule) || violations.some((violation) => violation.message.endsWith(cardRule));

function render(refusal: DomainError, hasAuthorization: boolean, { locals }: Pick<GatewayResponse, "locals">): Answer {
  const { requestId, route } = locals;
  if (route?.errorForm === "oauth") return renderOauthError(refusal);
  if (route?.failurePage !== undefined && hasReason(refusal, ...unproven))
    return { status: 303, headers: { location: `${route.failurePage}?failed=${refusal.reason}` } };
  const scheme = route?.proof === "login" || route?.proof === "device" ? "person" : (route?.scheme ?? "none");
  return renderError(refusal, { requestId, scheme, hasAuthorization });
}

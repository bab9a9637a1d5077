import { setTimeout as sleep } from "node:timers/promises";
import { currentCall } from "../../shared/process/call-context";
import { makeDetailsRules } from "../adapters/schema/details-rules";
import routing from "../domain/money-service-operators.json";
import { acceptPaymentHandler } from "../handlers/accept-payment";
import { getQuoteUseHandler } from "../handlers/get-quote-use";
import { validatePaymentHandler } from "../handlers/validate-payment";
import { type AcceptPaymentDeps, makeAcceptPayment } from "../operations/accept-payment";
import { type AppraisePaymentDeps, makeAppraisePayment } from "../operations/appraise-payment";
import { makeRoutes, type RoutesDeps } from "../operations/choose-rail";
import { makeValidatePayment } from "../operations/validate-payment";
import type { Schemas } from "../ports";
import type { LimitStore } from "../store/limit-store";

type AcceptanceDeps = Omit<AcceptPaymentDeps, "appraise" | "traceparent" | "pause" | "limits" | "rules"> &
  Omit<AppraisePaymentDeps, "routes" | "limits"> &
  Omit<RoutesDeps, "moneyServices"> & { limits: LimitStore; schemas: Schemas };

/** Handlers that accept payments, and that say beforehand whether payments would be accepted. */
export function acceptanceHandlers(deps: AcceptanceDeps) {
  const appraise = makeAppraisePayment({ ...deps, routes: makeRoutes({ ...routing, ...deps }) });
  const rules = makeDetailsRules(deps.schemas);
  const acceptPayment = makeAcceptPayment({
    ...deps,
    rules,
    appraise,
    traceparent: () => currentCall()?.traceparent ?? "",
    pause: (ms) => sleep(ms, undefined, { ref: false }),
  });
  return {
    acceptPayment: acceptPaymentHandler(acceptPayment),
    validatePayment: validatePaymentHandler(makeValidatePayment({ ...deps, rules, appraise })),
    getQuoteUse: getQuoteUseHandler(deps.payments),
  };
}

export type { Answered, AnswerOf, Call, Exchange, Input, Operation } from "./call.ts";
export { Corridor } from "./corridor.ts";
export { CorridorError, type ErrorCode, type FieldProblem, isCode, OutcomeUnknown, Unreachable } from "./errors.ts";
export type { Events, FeedQuery, FollowOptions } from "./events.ts";
export type * from "./gen/api.ts";
export { readJson, writeJson } from "./json.ts";
export { convert, type Decimal, decimal, digitsOf, fromMinor, type Money, money, toMinor } from "./money.ts";
export type { AgentCredentials, CallOptions, Clock, CorridorOptions, Outgoing } from "./options.ts";
export type { Pager } from "./pager.ts";
export { type Country, type MethodOf, type Payout, type Payouts, payouts } from "./payouts.ts";
export type { CreateOptions, NewPayment, Payment, WaitOptions } from "./resources/payments.ts";
export {
  eventsOf,
  isBatch,
  type VerifyOptions,
  verifyWebhook,
  type WebhookBatch,
  type WebhookHeaders,
  WebhookRefused,
} from "./webhooks.ts";

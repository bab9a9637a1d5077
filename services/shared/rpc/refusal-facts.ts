import type { ErrorDetail } from "../../../proto/gen/corridor/common/v1/error_reason";
import type { Money as WireMoney } from "../../../proto/gen/corridor/common/v1/money";
import {
  type ExhaustedQuota,
  ShortAccount,
  AllowedInstead as WireAllowed,
  RefusedState as WireState,
  LimitWindow as WireWindow,
} from "../../../proto/gen/corridor/common/v1/refusal_facts";
import { enumCodec } from "../kernel/enum-codec";
import { type Money, money } from "../kernel/money";
import type { AllowedInstead, RefusalDetails, RefusedState } from "../kernel/refusal-details";
import { operatorRoles, tenantRoles } from "../kernel/roles";
import { keyScopes, scopes } from "../kernel/scopes";

/** The facts of a refusal on the wire. */
export type RefusalFacts = ErrorDetail["facts"];

type Shortfall = Extract<RefusalDetails, { account: unknown }>;
type Limit = Extract<RefusalDetails, { window: unknown }>;
type Quota = Extract<RefusalDetails, { retryAfterSeconds: unknown }>;

const stateCodec = enumCodec<WireState, RefusedState>({
  [WireState.UNSPECIFIED]: undefined,
  [WireState.UNRECOGNIZED]: undefined,
  [WireState.PENDING]: "PENDING",
  [WireState.AUTHORIZED]: "AUTHORIZED",
  [WireState.CAPTURED]: "CAPTURED",
  [WireState.REFUNDED]: "REFUNDED",
  [WireState.VOIDED]: "VOIDED",
  [WireState.DECLINED]: "DECLINED",
  [WireState.ERROR]: "ERROR",
  [WireState.OPEN]: "OPEN",
  [WireState.CLOSED]: "CLOSED",
  [WireState.FROZEN]: "FROZEN",
  [WireState.HELD]: "HELD",
  [WireState.COMPLETED]: "COMPLETED",
  [WireState.EXPIRED]: "EXPIRED",
  [WireState.CANCELLED]: "CANCELLED",
  [WireState.PENDING_APPROVAL]: "PENDING_APPROVAL",
  [WireState.ACTIVE]: "ACTIVE",
  [WireState.REJECTED]: "REJECTED",
  [WireState.SUSPENDED]: "SUSPENDED",
});

const allowedCodec = enumCodec<WireAllowed, AllowedInstead>({
  [WireAllowed.UNSPECIFIED]: undefined,
  [WireAllowed.UNRECOGNIZED]: undefined,
  [WireAllowed.CAPTURE]: "capture",
  [WireAllowed.VOID]: "void",
  [WireAllowed.REFUND]: "refund",
  [WireAllowed.CANCEL]: "cancel",
  [WireAllowed.ACTIVE]: "ACTIVE",
  [WireAllowed.REJECTED]: "REJECTED",
  [WireAllowed.SUSPENDED]: "SUSPENDED",
  [WireAllowed.CLOSED]: "CLOSED",
});

const accountCodec = enumCodec<ShortAccount, Shortfall["account"]>({
  [ShortAccount.UNSPECIFIED]: undefined,
  [ShortAccount.UNRECOGNIZED]: undefined,
  [ShortAccount.WALLET]: "wallet",
  [ShortAccount.TENANT]: "tenant",
  [ShortAccount.PROVIDER]: "provider",
});

export const windowCodec = enumCodec<WireWindow, Limit["window"]>({
  [WireWindow.UNSPECIFIED]: undefined,
  [WireWindow.UNRECOGNIZED]: undefined,
  [WireWindow.DAY]: "DAY",
  [WireWindow.MONTH]: "MONTH",
});

const encodeMoney = ({ minor, currency }: Money): WireMoney => ({ amountMinor: minor, currency });

/** Encodes the facts of a refusal; undefined when there are none. */
export function encodeFacts(details: RefusalDetails): RefusalFacts {
  if (details.allowed !== undefined) {
    const { status, allowed, mostRefunds } = details;
    const state = stateCodec.encode(status);
    return { $case: "stateConflict", value: { state, allowed: allowed.map(allowedCodec.encode), mostRefunds } };
  }
  if (details.status !== undefined) {
    return { $case: "objectState", value: { state: stateCodec.encode(details.status) } };
  }
  if (details.fields !== undefined) return { $case: "contentConflict", value: { fields: [...details.fields] } };
  if (details.account !== undefined) return { $case: "fundsShortfall", value: encodeShortfall(details) };
  if (details.window !== undefined) {
    const { limit, used, left } = details;
    const amounts = { limit: encodeMoney(limit), used: encodeMoney(used), left: encodeMoney(left) };
    return { $case: "exceededLimit", value: { window: windowCodec.encode(details.window), ...amounts } };
  }
  if (details.retryAfterSeconds !== undefined) return { $case: "exhaustedQuota", value: encodeQuota(details) };
  if (details.scope !== undefined) return { $case: "missingScope", value: { scope: details.scope } };
  if (details.roles !== undefined) return { $case: "missingRole", value: { roles: [...details.roles] } };
  if (details.maxAgeSeconds !== undefined) {
    return { $case: "loginTooOld", value: { maxAgeSeconds: details.maxAgeSeconds } };
  }
  if (details.methods !== undefined) return { $case: "allowedMethods", value: { methods: [...details.methods] } };
  return undefined;
}

function encodeShortfall({ account, available, required }: Shortfall) {
  return {
    account: accountCodec.encode(account),
    available: available && encodeMoney(available),
    required: required && encodeMoney(required),
  };
}

function encodeQuota({ retryAfterSeconds, limitPerSecond, limitPerHour, limitInFlight }: Quota): ExhaustedQuota {
  const quota = (): ExhaustedQuota["quota"] => {
    if (limitPerSecond !== undefined) return { $case: "perSecond", value: limitPerSecond };
    if (limitPerHour !== undefined) return { $case: "perHour", value: limitPerHour };
    return limitInFlight === undefined ? undefined : { $case: "inFlight", value: limitInFlight };
  };
  return { retryAfterSeconds, quota: quota() };
}

const decodeMoney = ({ amountMinor, currency }: WireMoney): Money => money(amountMinor, currency);

/** Decodes the facts of a refusal. Facts with a word that this program does not know are none. */
export function decodeFacts(facts: RefusalFacts): RefusalDetails {
  switch (facts?.$case) {
    case "objectState": {
      const status = stateCodec.decode(facts.value.state);
      return status === undefined ? {} : { status };
    }
    case "stateConflict": {
      const status = stateCodec.decode(facts.value.state);
      const allowed = facts.value.allowed.flatMap((word) => allowedCodec.decode(word) ?? []);
      return status === undefined ? {} : { status, allowed, mostRefunds: facts.value.mostRefunds };
    }
    case "contentConflict":
      return { fields: facts.value.fields };
    case "fundsShortfall":
      return decodeShortfall(facts.value);
    case "exceededLimit": {
      const { limit, used, left } = facts.value;
      const window = windowCodec.decode(facts.value.window);
      if (window === undefined || limit === undefined || used === undefined || left === undefined) return {};
      return { window, limit: decodeMoney(limit), used: decodeMoney(used), left: decodeMoney(left) };
    }
    case "exhaustedQuota":
      return decodeQuota(facts.value);
    case "missingScope": {
      const scope = [...scopes, ...keyScopes].find((known) => known === facts.value.scope);
      return scope === undefined ? {} : { scope };
    }
    case "missingRole":
      return { roles: [...operatorRoles, ...tenantRoles].filter((known) => facts.value.roles.includes(known)) };
    case "loginTooOld":
      return { maxAgeSeconds: facts.value.maxAgeSeconds };
    case "allowedMethods":
      return { methods: facts.value.methods };
    case undefined:
      return {};
  }
}

function decodeShortfall(shortfall: Extract<RefusalFacts, { $case: "fundsShortfall" }>["value"]): RefusalDetails {
  const account = accountCodec.decode(shortfall.account);
  if (account === "provider") return { account };
  const { available, required } = shortfall;
  if (account === undefined || available === undefined || required === undefined) return {};
  return { account, available: decodeMoney(available), required: decodeMoney(required) };
}

function decodeQuota({ retryAfterSeconds, quota }: ExhaustedQuota): RefusalDetails {
  switch (quota?.$case) {
    case "perSecond":
      return { limitPerSecond: quota.value, retryAfterSeconds };
    case "perHour":
      return { limitPerHour: quota.value, retryAfterSeconds };
    case "inFlight":
      return { limitInFlight: quota.value, retryAfterSeconds };
    case undefined:
      return { retryAfterSeconds };
  }
}

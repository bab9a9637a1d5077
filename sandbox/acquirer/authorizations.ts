import { formatDecimal } from "../../services/shared/kernel/money";
import type { Act } from "../acts";
import { digitsOf, requireMinor } from "../amounts";
import { type Answer, notFound, referenceConflict } from "../answer";
import type { Card, FindCard } from "../cards";
import type { Environment } from "../environment";
import type { Effect, Fault } from "../fault-rule";
import type { MovementKind } from "../movements";
import { contentHash, openRecordStore } from "../record-store";
import { refuseWith } from "../refusals";
import { bookSteps, notNow, refuseStep, repeated, type Step, shownSteps, stepAnswer, totalOf } from "../steps";
import { type Authorization, type AuthorizationStatus, known, renderCard, responses } from "./authorization";
import { type Challenge, type Challenges, challengePath } from "./challenges";

export interface AuthorizationRequest {
  reference: string;
  cardToken: string;
  amount: string;
  currency: string;
  capture: boolean;
  hasBilling: boolean;
  narrative: string;
}

interface AuthorizationDeps
  extends Pick<Environment, "database" | "clock" | "ids" | "callbacks" | "movements" | "acts"> {
  findCard: FindCard;
  challenges: Challenges;
}

/** Card payments. Each call is on disk before it answers; `root` is the address at which the caller reaches the pages. */
export interface Authorizations {
  authorize(
    request: AuthorizationRequest,
    body: unknown,
    fault: Pick<Fault, "refuse" | "effect">,
    root: string,
  ): Promise<Answer>;
  capture(reference: string, step: StepOrder, effect?: Effect): Promise<Answer>;
  void(reference: string, stepReference: string): Promise<Answer>;
  refund(reference: string, step: StepOrder, effect?: Effect): Promise<Answer>;
  query(reference: string, root: string): Answer;
  find(reference: string): Authorization | undefined;
  list(): Authorization[];
}

interface StepOrder {
  reference: string;
  amount: string;
}

const codeDigits = 6;

export function makeAuthorizations(deps: AuthorizationDeps): Authorizations {
  const { database, clock } = deps;
  const records = openRecordStore<Authorization>(database, "authorizations");
  const save = (authorization: Authorization): void => records.save(authorization.reference, authorization);
  const counted = (authorization: Authorization, call: string): Authorization => ({
    ...authorization,
    calls: { ...authorization.calls, [call]: (authorization.calls[call] ?? 0) + 1 },
  });
  /** Runs one call on a known authorization, in a write, and saves the changed authorization that it returns. */
  const on = (reference: string, call: string, change: (authorization: Authorization) => Outcome): Promise<Answer> =>
    database.write(() => {
      const found = records.find(reference);
      if (found === undefined) return notFound;
      const called = counted(found, call);
      const { next, answer } = change(called);
      save(next ?? called);
      return answer;
    });
  const at = (): string => clock.now().toISOString();
  deps.challenges.on("authorization", (challenge) => {
    const waiting = records.find(challenge.reference);
    if (waiting?.status === "CHALLENGE") save(answered(deps, waiting, challenge));
  });
  deps.acts.on(
    "acquirer",
    authorizationActs(deps, (reference) => records.find(reference), save),
  );
  deps.callbacks.onNotify("acquirer", (reference) => {
    const found = records.find(reference);
    return found && reportOf(found, at());
  });

  return {
    authorize: (request, body, { refuse, effect }, root) =>
      database.write(() => {
        const found = records.find(request.reference);
        if (found !== undefined) {
          save(counted(found, "authorize"));
          return found.contentHash === contentHash(body)
            ? { status: 200, body: render(found, root) }
            : referenceConflict;
        }
        const card = deps.findCard(request.cardToken);
        if (card === undefined) return refuseWith("unknown_token");
        const executed = { ...request, ...moneyOf(effect) };
        const decided = decide(deps, executed, refuse ? { ...card, outcome: "decline" } : card, contentHash(body));
        save(decided);
        return { status: 201, body: render(decided, root) };
      }),
    capture: (reference, step, effect) => on(reference, "capture", (found) => capture(deps, found, step, effect)),
    void: (reference, step) => on(reference, "void", (found) => cancel(found, step, at())),
    refund: (reference, step, effect) => on(reference, "refund", (found) => refund(deps, found, step, effect)),
    find: (reference) => records.find(reference),
    query(reference, root) {
      const found = records.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found, root) };
    },
    list: () => records.list(),
  };
}

/** The answer of a call, with the changed authorization if there is one. */
interface Outcome {
  next?: Authorization;
  answer: Answer;
}

const orderOf = ({ reference, currency, amount }: Authorization, kind: MovementKind) => ({
  provider: "acquirer",
  reference,
  kind,
  amount,
  currency,
});

const moneyOf = (effect: Effect | undefined) => ({
  ...(effect?.amount === undefined ? {} : { amount: effect.amount }),
  ...(effect?.currency === undefined ? {} : { currency: effect.currency }),
});

/** Captures once, all or less: the rest is released. */
function capture({ movements }: AuthorizationDeps, found: Authorization, step: StepOrder, effect?: Effect): Outcome {
  const again = repeated(found.captures, step.reference, step.amount, "CAPTURED");
  if (again !== undefined) return { answer: again };
  if (found.status !== "AUTHORIZED") return { answer: notNow("not_capturable", found.status) };
  const { currency } = found;
  const refusal = refuseStep([], step.amount, { currency, limit: requireMinor(found.amount, currency) });
  if (refusal !== undefined) return { answer: refusal };
  const order = { ...orderOf(found, "CAPTURE"), amount: step.amount };
  const captures = bookSteps(movements, { order, step: step.reference, effect });
  return { next: { ...found, status: "CAPTURED", captures }, answer: made(captures, "CAPTURED") };
}

const made = ([first]: readonly Step[], status: string): Answer => ({
  status: 201,
  body: first === undefined ? {} : stepAnswer(first, status),
});

function cancel(found: Authorization, reference: string, at: string): Outcome {
  const body = { reference, status: "VOIDED", at: found.voidedAt ?? at };
  if (found.voidReference === reference) return { answer: { status: 200, body } };
  const isOpen = found.status === "AUTHORIZED" || found.status === "CHALLENGE";
  if (!isOpen) return { answer: notNow("not_voidable", found.status) };
  const next: Authorization = { ...found, status: "VOIDED", voidReference: reference, voidedAt: at };
  return { next, answer: { status: 201, body } };
}

/** Refunds, several times up to the captured amount. */
function refund({ movements }: AuthorizationDeps, found: Authorization, step: StepOrder, effect?: Effect): Outcome {
  const again = repeated(found.refunds, step.reference, step.amount, "REFUNDED");
  if (again !== undefined) return { answer: again };
  if (found.status !== "CAPTURED") return { answer: notNow("not_refundable", found.status) };
  const { currency } = found;
  const refusal = refuseStep(found.refunds, step.amount, { currency, limit: totalOf(found.captures, currency) });
  if (refusal !== undefined) return { answer: refusal };
  const order = { ...orderOf(found, "REFUND"), amount: step.amount };
  const refunds = bookSteps(movements, { order, step: step.reference, effect });
  return { next: { ...found, refunds: [...found.refunds, ...refunds] }, answer: made(refunds, "REFUNDED") };
}

/** The captured amount that has not gone back, as decimal text. */
function left({ captures, refunds, chargebacks, currency }: Authorization): string {
  const minor = totalOf(captures, currency) - totalOf(refunds, currency) - totalOf(chargebacks, currency);
  return formatDecimal({ digits: minor < 0n ? 0n : minor, scale: digitsOf(currency) });
}

/** Spontaneous acts of the acquirer and of its banks. */
function authorizationActs(
  { movements, callbacks, clock }: AuthorizationDeps,
  find: (reference: string) => Authorization | undefined,
  save: (authorization: Authorization) => void,
): Readonly<Record<string, Act>> {
  const at = (): string => clock.now().toISOString();
  const move = (found: Authorization, list: "captures" | "refunds" | "chargebacks", amount: string): Authorization => {
    if (requireMinor(amount, found.currency) <= 0n) return found;
    const kind = ({ captures: "CAPTURE", refunds: "REFUND", chargebacks: "CHARGEBACK" } as const)[list];
    const movement = movements.book({ ...orderOf(found, kind), amount });
    return { ...found, [list]: [...found[list], { reference: movement.movementId, ...movement }] };
  };
  const act =
    (change: (found: Authorization, amount: string | undefined) => Authorization): Act =>
    (reference, { amount, isSilent }) => {
      const found = find(reference);
      if (found === undefined) return false;
      const next = change(found, amount);
      save(next);
      if (isSilent !== true) callbacks.report("acquirer", reportOf(next, at()));
      return true;
    };
  return {
    CAPTURE: act((found, amount) => ({ ...move(found, "captures", amount ?? found.amount), status: "CAPTURED" })),
    REFUND: act((found, amount) => move(found, "refunds", amount ?? left(found))),
    CHARGEBACK: act((found, amount) => move(found, "chargebacks", amount ?? left(found))),
    // The captured amount goes back with it.
    VOID: act((found) => ({ ...move(found, "refunds", left(found)), status: "VOIDED", voidedAt: at() })),
    DECLINE: act((found) => ({ ...move(found, "refunds", left(found)), status: "DECLINED", ...responses.declined })),
  };
}

function decide(deps: AuthorizationDeps, request: AuthorizationRequest, card: Card, hash: string): Authorization {
  const { hasBilling, ...asked } = request;
  const createdAt = deps.clock.now().toISOString();
  const isDeclined = card.outcome === "decline";
  const undecided: Authorization = {
    ...asked,
    acquirerId: `ACQ-${deps.ids.uuid()}`,
    contentHash: hash,
    status: "DECLINED",
    ...responses.declined,
    authCode: null,
    challengeId: null,
    card,
    avs: isDeclined ? "N/A" : hasBilling ? card.avs : "NOT_SENT",
    cvc: isDeclined ? "N/A" : card.cvc,
    captures: [],
    refunds: [],
    chargebacks: [],
    voidReference: null,
    voidedAt: null,
    createdAt,
    calls: { authorize: 1 },
  };
  if (isDeclined) return undecided;
  if (card.outcome === "approve") return approved(deps, undecided);
  const { id } = deps.challenges.open("authorization", request.reference);
  return { ...undecided, status: "CHALLENGE", ...responses.challenge, challengeId: id };
}

function approved({ ids, movements }: AuthorizationDeps, authorization: Authorization): Authorization {
  const { capture, reference } = authorization;
  const order = orderOf(authorization, "CAPTURE");
  const status: AuthorizationStatus = capture ? "CAPTURED" : "AUTHORIZED";
  return {
    ...authorization,
    ...responses.approved,
    status,
    authCode: [...ids.bytes(codeDigits)].map((byte) => byte % 10).join(""),
    captures: capture ? bookSteps(movements, { order, step: reference, effect: undefined }) : [],
  };
}

/** Applies a finished challenge to its authorization and reports the result to the platform. */
function answered(deps: AuthorizationDeps, waiting: Authorization, { outcome }: Challenge): Authorization {
  const declined = outcome === "expired" ? responses.expired : responses.failed;
  const next: Authorization =
    outcome === "passed" ? approved(deps, waiting) : { ...waiting, status: "DECLINED", ...declined };
  deps.callbacks.report("acquirer", reportOf(next, deps.clock.now().toISOString()));
  return next;
}

/** An authorization as callbacks report it. */
const reportOf = (found: Authorization, occurredAt: string) => ({
  reference: found.reference,
  acquirerId: found.acquirerId,
  status: found.status,
  amount: found.amount,
  currency: found.currency,
  responseCode: found.responseCode,
  captures: shownSteps(found.captures),
  refunds: shownSteps(found.refunds),
  chargebacks: shownSteps(found.chargebacks),
  occurredAt,
});

const render = (found: Authorization, root: string): object => ({
  reference: found.reference,
  acquirerId: found.acquirerId,
  status: found.status,
  amount: found.amount,
  currency: found.currency,
  responseCode: found.responseCode,
  ...known({ message: found.message, authCode: found.authCode, voidedAt: found.voidedAt }),
  ...(found.status === "CHALLENGE" && found.challengeId !== null
    ? { redirectAcsUrl: `${root}${challengePath(found.challengeId)}` }
    : {}),
  card: renderCard(found.card),
  avs: found.avs,
  cvc: found.cvc,
  captures: shownSteps(found.captures),
  refunds: shownSteps(found.refunds),
  chargebacks: shownSteps(found.chargebacks),
});

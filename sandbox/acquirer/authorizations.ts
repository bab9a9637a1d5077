import { requireMinor } from "../amounts";
import { type Answer, notFound, referenceConflict } from "../answer";
import type { Card, FindCard } from "../cards";
import { contentHash, openShelf } from "../shelf";
import { notNow, refuseStep, repeated, type Step, totalOf } from "../steps";
import type { World } from "../world";
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

interface AuthorizationDeps extends Pick<World, "database" | "clock" | "ids" | "callbacks"> {
  findCard: FindCard;
  challenges: Challenges;
}

/** Card payments. Each call is on disk before it answers; `root` is the address under which the caller sees the pages. */
export interface Authorizations {
  authorize(request: AuthorizationRequest, body: unknown, isRefused: boolean, root: string): Promise<Answer>;
  capture(reference: string, step: { reference: string; amount: string }): Promise<Answer>;
  void(reference: string, stepReference: string): Promise<Answer>;
  refund(reference: string, step: { reference: string; amount: string }): Promise<Answer>;
  query(reference: string, root: string): Answer;
  list(): Authorization[];
}

const codeDigits = 6;

export function makeAuthorizations(deps: AuthorizationDeps): Authorizations {
  const { database, clock } = deps;
  const shelf = openShelf<Authorization>(database, "authorizations");
  const save = (authorization: Authorization): void => shelf.save(authorization.reference, authorization);
  const counted = (authorization: Authorization, call: string): Authorization => ({
    ...authorization,
    calls: { ...authorization.calls, [call]: (authorization.calls[call] ?? 0) + 1 },
  });
  /** Runs one call on a known authorization, in a write; what it returns beside the answer is saved. */
  const on = (reference: string, call: string, change: (authorization: Authorization) => Outcome): Promise<Answer> =>
    database.write(() => {
      const found = shelf.find(reference);
      if (found === undefined) return notFound;
      const called = counted(found, call);
      const { next, answer } = change(called);
      save(next ?? called);
      return answer;
    });
  const at = (): string => clock.now().toISOString();
  deps.challenges.on("authorization", (challenge) => {
    const waiting = shelf.find(challenge.reference);
    if (waiting?.status === "CHALLENGE") save(answered(deps, waiting, challenge));
  });

  return {
    authorize: (request, body, isRefused, root) =>
      database.write(() => {
        const found = shelf.find(request.reference);
        if (found !== undefined) {
          save(counted(found, "authorize"));
          return found.contentHash === contentHash(body)
            ? { status: 200, body: render(found, root) }
            : referenceConflict;
        }
        const card = deps.findCard(request.cardToken);
        if (card === undefined) return { status: 422, body: { error: "unknown_token" } };
        const decided = decide(deps, request, isRefused ? { ...card, outcome: "decline" } : card, contentHash(body));
        save(decided);
        return { status: 201, body: render(decided, root) };
      }),
    capture: (reference, step) => on(reference, "capture", (found) => capture(found, { ...step, at: at() })),
    void: (reference, step) => on(reference, "void", (found) => cancel(found, step, at())),
    refund: (reference, step) => on(reference, "refund", (found) => refund(found, { ...step, at: at() })),
    query(reference, root) {
      const found = shelf.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found, root) };
    },
    list: () => shelf.list(),
  };
}

/** What a call makes of an authorization, if anything, and its answer. */
interface Outcome {
  next?: Authorization;
  answer: Answer;
}

/** Once, of all or of less: the rest is released. */
function capture(found: Authorization, step: Step): Outcome {
  const again = repeated(found.captures, step.reference, step.amount, "CAPTURED");
  if (again !== undefined) return { answer: again };
  if (found.status !== "AUTHORIZED") return { answer: notNow("not_capturable", found.status) };
  const { currency } = found;
  const refusal = refuseStep([], step.amount, { currency, limit: requireMinor(found.amount, currency) });
  if (refusal !== undefined) return { answer: refusal };
  const next: Authorization = { ...found, status: "CAPTURED", captures: [step] };
  return { next, answer: { status: 201, body: { ...step, status: "CAPTURED" } } };
}

function cancel(found: Authorization, reference: string, at: string): Outcome {
  const body = { reference, status: "VOIDED", at: found.voidedAt ?? at };
  if (found.voidReference === reference) return { answer: { status: 200, body } };
  const isOpen = found.status === "AUTHORIZED" || found.status === "CHALLENGE";
  if (!isOpen) return { answer: notNow("not_voidable", found.status) };
  const next: Authorization = { ...found, status: "VOIDED", voidReference: reference, voidedAt: at };
  return { next, answer: { status: 201, body } };
}

/** Several, up to what was captured. */
function refund(found: Authorization, step: Step): Outcome {
  const again = repeated(found.refunds, step.reference, step.amount, "REFUNDED");
  if (again !== undefined) return { answer: again };
  if (found.status !== "CAPTURED") return { answer: notNow("not_refundable", found.status) };
  const { currency } = found;
  const refusal = refuseStep(found.refunds, step.amount, { currency, limit: totalOf(found.captures, currency) });
  if (refusal !== undefined) return { answer: refusal };
  const next: Authorization = { ...found, refunds: [...found.refunds, step] };
  return { next, answer: { status: 201, body: { ...step, status: "REFUNDED" } } };
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

function approved({ ids, clock }: AuthorizationDeps, authorization: Authorization): Authorization {
  const { capture, reference, amount } = authorization;
  const status: AuthorizationStatus = capture ? "CAPTURED" : "AUTHORIZED";
  return {
    ...authorization,
    ...responses.approved,
    status,
    authCode: [...ids.bytes(codeDigits)].map((byte) => byte % 10).join(""),
    captures: capture ? [{ reference, amount, at: clock.now().toISOString() }] : [],
  };
}

/** What a finished challenge makes of the authorization that waited for it; the platform is told. */
function answered(deps: AuthorizationDeps, waiting: Authorization, { outcome }: Challenge): Authorization {
  const declined = outcome === "expired" ? responses.expired : responses.failed;
  const next: Authorization =
    outcome === "passed" ? approved(deps, waiting) : { ...waiting, status: "DECLINED", ...declined };
  const { reference, acquirerId, status, responseCode } = next;
  const occurredAt = deps.clock.now().toISOString();
  deps.callbacks.report("acquirer", { reference, acquirerId, status, responseCode, occurredAt });
  return next;
}

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
  captures: found.captures,
  refunds: found.refunds,
});

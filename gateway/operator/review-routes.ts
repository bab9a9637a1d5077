import type { ScreenedParty } from "../../proto/gen/corridor/identity/v1/decision_service";
import {
  EntryKind,
  type ListedEntry,
  type Review,
  type ReviewedPayment,
  ReviewKind,
  ReviewStatus,
  type ScreeningException,
} from "../../proto/gen/corridor/identity/v1/review_service";
import { enumCodec } from "../../services/shared/kernel/enum-codec";
import { formatMoney, money } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { renderDetails } from "../codec/person-codec";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  closedQuery,
  flag,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  requestWith,
  text,
  uuid,
} from "../contract/parts";
import type { Route } from "../route";
import { pageMembers } from "./page";

export interface ReviewRouteDeps {
  upstreams: Pick<Upstreams, "identity">;
}

export const common = { scheme: "operator", tag: "Reviews" } as const;
export const tenantParam = { tenant: "Slug of the subject's tenant." };
const tenant = text("Slug of a tenant; all without it.");

const kinds = ["PERSON", "COMPANY", "PAYMENT"] as const;
const statuses = ["OPEN", "APPROVED", "REJECTED", "WITHDRAWN", "BLOCKED"] as const;
const kind = oneOf("What is reviewed.", kinds);
const hitMembers = {
  entryId: text("Entry of the screening list."),
  likenessPercent: integer("How much speaks for the entry; 100 is beyond doubt."),
} as const;

const rowMembers = {
  reviewId: uuid("Id."),
  tenant: text("Slug of the subject's tenant."),
  kind,
  subjectId: text("Id of the person, company or payment."),
  status: oneOf("Where it stands; WITHDRAWN when the question went away, BLOCKED until an authority allows.", statuses),
  awaitsProvider: flag("True while the screening provider has not decided either."),
  listVersion: text("Version of the list that was used last."),
  openedAt: orNull(instant("When it was opened.")),
  decidedAt: orNull(instant("When it ended.")),
  author: orNull(text("Who ended it: an operator, `screening provider`, `embargo` or `platform`.")),
  reportDueAt: orNull(instant("When the authority must have been notified; null where no report is owed.")),
  reportReference: orNull(text("The reference under which it was notified.")),
  authorityReference: orNull(text("The authority's reference of the release.")),
  approver: orNull(text("Who agreed to the release.")),
  embargo: orNull(text("The country or programme under an embargo that has brought the payment here.")),
  payTo: orNull(text("Account of the ledger that an authority's order has sent the money to.")),
} as const;

const rowShape = answer("ReviewSummary", "A review, without what is known of its subject.", {
  ...rowMembers,
  hits: listOf("What was found on lists.", answer("ScreeningHit", "An entry that may be meant.", hitMembers)),
});

export const reviewPage = answer("ReviewPage", "A page of reviews.", {
  reviews: listOf("The oldest first.", rowShape),
  next: orNull(text("Cursor of the next page.")),
});

const hitInFull = answer("ScreeningHitInFull", "An entry that may be meant, and why.", {
  ...hitMembers,
  factors: {
    type: ["array", "null"],
    description: "What spoke for and against it, in points: `factor`, `points`, and what of the entry is meant.",
    items: { description: "A factor." },
  },
  entry: { type: ["object", "null"], description: "The entry, as its list has it." },
});

const inFull = {
  ...rowMembers,
  hits: listOf("What was found on lists.", hitInFull),
  note: orNull(text("Why.")),
  facts: { type: ["object", "null"], description: "What is known of the subject; null after an erasure." },
} as const;

export const reviewShape = answer("Review", "A review with what is known of its subject.", inFull);

const exceptionShape = answer("ScreeningException", "A hit that was cleared.", {
  exceptionId: uuid("Id."),
  tenant: text("Slug of the subject's tenant."),
  kind,
  subjectId: text("Id of the person, company or payment."),
  entryId: text("Entry of the screening list; the exception ends when its names change."),
  reviewId: text("The review that cleared it."),
  author: text("Who cleared it."),
  note: orNull(text("Why; null after an erasure.")),
  createdAt: orNull(instant("When.")),
  listVersion: text("Version of the lists by which it was cleared."),
  expiresAt: orNull(instant("When it ends, and the hit is raised again.")),
});

const exceptionPage = answer("ScreeningExceptionPage", "A page of exceptions.", {
  exceptions: listOf("The oldest first.", exceptionShape),
  next: orNull(text("Cursor of the next page.")),
});

const kindCodec = enumCodec<ReviewKind, (typeof kinds)[number]>({
  [ReviewKind.UNSPECIFIED]: undefined,
  [ReviewKind.PERSON]: "PERSON",
  [ReviewKind.COMPANY]: "COMPANY",
  [ReviewKind.PAYMENT]: "PAYMENT",
  [ReviewKind.UNRECOGNIZED]: undefined,
});

const statusCodec = enumCodec<ReviewStatus, (typeof statuses)[number]>({
  [ReviewStatus.UNSPECIFIED]: undefined,
  [ReviewStatus.OPEN]: "OPEN",
  [ReviewStatus.APPROVED]: "APPROVED",
  [ReviewStatus.REJECTED]: "REJECTED",
  [ReviewStatus.WITHDRAWN]: "WITHDRAWN",
  [ReviewStatus.BLOCKED]: "BLOCKED",
  [ReviewStatus.UNRECOGNIZED]: undefined,
});

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error("the identity service sent a kind or a status that is not known");
  return word;
}

/** Returns the word for a review's status. */
export const statusOf = ({ status }: Review): string => known(statusCodec.decode(status));

const factsOf = ({ reviewId, tenant: slug, kind: subject, subjectId, status, ...review }: Review) => ({
  reviewId,
  tenant: slug,
  kind: known(kindCodec.decode(subject)),
  subjectId,
  status: known(statusCodec.decode(status)),
  awaitsProvider: review.awaitsProvider,
  listVersion: review.listVersion,
  openedAt: review.openedAt ?? null,
  decidedAt: review.decidedAt ?? null,
  author: review.author ?? null,
  reportDueAt: review.reportDueAt ?? null,
  reportReference: review.reportReference ?? null,
  authorityReference: review.authorityReference ?? null,
  approver: review.approver ?? null,
  embargo: review.embargo ?? null,
  payTo: review.payTo ?? null,
});

export const renderRow = (review: Review): Answered<typeof rowShape> => ({
  ...factsOf(review),
  hits: review.hits.map(({ entryId, likenessPercent }) => ({ entryId, likenessPercent })),
});

export function renderReview(review: Review | undefined): Answered<typeof reviewShape> {
  if (review === undefined) throw new Error("the identity service sent no review");
  const hits = review.hits.map(({ entryId, likenessPercent, factors, entry }) => ({
    entryId,
    likenessPercent,
    factors: factors.map(({ factor, points, listed }) => ({ factor, points, listed })),
    entry: renderEntry(entry),
  }));
  return { ...factsOf(review), hits, note: review.note ?? null, facts: renderFacts(review.facts) };
}

type Facts = Answered<typeof inFull.facts>;

/** Returns the entry, with its kind as a word. */
function renderEntry(entry: ListedEntry | undefined): Facts {
  if (entry === undefined) return null;
  return { ...entry, kind: entryKinds[entry.kind] ?? "UNKNOWN" } as unknown as Facts;
}

const entryKinds: Readonly<Record<EntryKind, string | undefined>> = {
  [EntryKind.UNSPECIFIED]: undefined,
  [EntryKind.PERSON]: "PERSON",
  [EntryKind.COMPANY]: "COMPANY",
  [EntryKind.VESSEL]: "VESSEL",
  [EntryKind.UNKNOWN]: "UNKNOWN",
  [EntryKind.UNRECOGNIZED]: undefined,
};

/** Renders what is known about the subject; members that are undefined do not appear in the answer. */
function renderFacts(facts: Review["facts"]): Facts {
  if (facts === undefined) return null;
  const shown = facts.$case === "participant" ? renderDetails(facts.value) : renderPayment(facts.value);
  return shown as unknown as Facts;
}

function renderPayment({ amount, senderName, sender, recipient }: ReviewedPayment) {
  if (amount === undefined) throw new Error("the identity service sent no amount");
  const { name, countryCode, narrative, party } = recipient ?? {};
  return {
    amount: formatMoney(money(amount.amountMinor, amount.currency)),
    currency: amount.currency,
    senderName,
    sender: sender && renderParty(sender),
    recipientName: name,
    recipientCountry: countryCode,
    narrative,
    recipient: party && renderParty(party),
  };
}

const said = (text: string): string | undefined => (text === "" ? undefined : text);

const renderParty = (party: ScreenedParty) => ({
  birthDate: said(party.birthDate),
  nationality: said(party.nationalityCode),
  residence: said(party.residenceCode),
  documents: party.documentNumbers.length === 0 ? undefined : party.documentNumbers,
  companyName: said(party.companyName),
  bankName: said(party.bankName),
  bankCountry: said(party.bankCountryCode),
  otherCountries: party.countryCodes.length === 0 ? undefined : party.countryCodes,
});

const renderException = (exception: ScreeningException): Answered<typeof exceptionShape> => ({
  ...exception,
  kind: known(kindCodec.decode(exception.kind)),
  note: exception.note ?? null,
  createdAt: exception.createdAt ?? null,
  expiresAt: exception.expiresAt ?? null,
});

const reviewQuery = closedQuery("Which reviews are meant.", {
  tenant,
  subjectId: text("Id of a person, company or payment."),
  kind: oneOf("Only what is reviewed of this kind.", kinds),
  status: oneOf("OPEN without it.", statuses),
  ...pageMembers,
});

const exceptionQuery = closedQuery("Which exceptions are meant.", { tenant, ...pageMembers });

const decided = {
  approve: flag("True lets the subject go on and clears the hits; false rejects it."),
  note: { ...text("Why; kept with the review."), minLength: 1, maxLength: 1_000 },
} as const;
const decisionRequest = requestWith("ReviewDecision", "What is decided about a review.", decided, {
  block: flag("True, with `approve` false, keeps a payment where it is until an authority allows its release."),
});

/** Reviews of persons, companies and payments, and the exceptions that result from them, for operators. */
export const reviewRoutes = (deps: ReviewRouteDeps): readonly Route[] => [
  ...readRoutes(deps),
  decideRoute(deps),
  ...exceptionRoutes(deps),
];

const readRoutes = ({ upstreams: { identity } }: ReviewRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/reviews",
    summary: "List reviews, the oldest first; those that are open unless another status is asked for.",
    query: reviewQuery,
    response: { status: 200, description: "A page.", schema: reviewPage },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query: { kind: subject, status, ...page } }) {
      const { reviews, next } = await identity.listReviews({
        ...page,
        kind: subject && kindCodec.encode(subject),
        status: status && statusCodec.encode(status),
      });
      return { reviews: reviews.map(renderRow), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/reviews/{reviewId}",
    summary: "Show a review with what is known of its subject.",
    params: { reviewId: "Id of the review." },
    response: { status: 200, description: "The review.", schema: reviewShape },
    refusals: ["RECORD_NOT_FOUND"],
    handle: async ({ params }) => renderReview((await identity.getReview(params)).review),
  }),
];

const decideRoute = ({ upstreams: { identity } }: ReviewRouteDeps): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/reviews/{reviewId}",
    summary: "Approve or reject what is reviewed, or block a payment.",
    params: { ...tenantParam, reviewId: "Id of the review." },
    request: decisionRequest,
    response: { status: 200, description: "The review.", schema: reviewShape },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    async handle({ operator, params, body: { approve, block = false, note } }) {
      const { review } = await identity.decideReview({ ...params, approve, block, author: operator, note });
      return renderReview(review);
    },
  });

const exceptionRoutes = ({ upstreams: { identity } }: ReviewRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/exceptions",
    summary: "List hits that were cleared, the oldest first.",
    query: exceptionQuery,
    response: { status: 200, description: "A page.", schema: exceptionPage },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query }) {
      const { exceptions, next } = await identity.listExceptions(query);
      return { exceptions: exceptions.map(renderException), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "DELETE",
    path: "/tenants/{tenant}/exceptions/{exceptionId}",
    summary: "Take an exception back; a person or company is screened again at once.",
    params: { ...tenantParam, exceptionId: "Id of the exception." },
    response: { status: 204, description: "It no longer holds." },
    refusals: ["RECORD_NOT_FOUND"],
    handle: ({ params }) => identity.revokeException(params),
  }),
];

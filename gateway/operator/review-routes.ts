import type { Review, ScreeningException } from "../../proto/gen/corridor/identity/v1/review_service";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { jsonAnswer, noContent, type OperatorCall, type Route, readJson, requireParam } from "../route";
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  instantSchema,
  integerSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";
import { pageLimit, pageQuery } from "./page";

export interface ReviewRouteDeps {
  upstreams: Pick<Upstreams, "identity">;
}

const common = { scheme: "operator", tag: "Reviews" } as const;
const kinds = ["PERSON", "COMPANY", "PAYMENT"];
const statuses = ["OPEN", "APPROVED", "REJECTED", "WITHDRAWN"];
const tenantParam = { tenant: "Slug of the subject's tenant." };
const tenantPageQuery = {
  tenant: { description: "Slug of a tenant; all without it.", schema: { type: "string" } },
  ...pageQuery,
};

const rowFields = {
  reviewId: textSchema("UUID."),
  tenant: textSchema("Slug of the subject's tenant."),
  kind: enumSchema("What is reviewed.", kinds),
  subjectId: textSchema("Id of the person, company or payment."),
  status: enumSchema("WITHDRAWN: the question went away.", statuses),
  hits: arrayOf(
    objectSchema({
      entryId: textSchema("Entry of the screening list."),
      likenessPercent: integerSchema("How much speaks for the entry; 100 is beyond doubt."),
    }),
  ),
  awaitsProvider: booleanSchema("True while the screening provider has not decided either."),
  listVersion: textSchema("Version of the list that was used last."),
  openedAt: nullable(instantSchema("When it was opened.")),
  decidedAt: nullable(instantSchema("When it ended.")),
  author: nullable(textSchema("Who ended it: an operator, `screening provider` or `platform`.")),
};
const rowSchema = objectSchema(rowFields);
const reviewSchema = objectSchema({
  ...rowFields,
  hits: arrayOf(
    objectSchema({
      entryId: textSchema("Entry of the screening list."),
      likenessPercent: integerSchema("How much speaks for the entry; 100 is beyond doubt."),
      factors: nullable({
        type: "array",
        description: "What spoke for and against it, in points: `factor`, `points`, and what of the entry is meant.",
        items: { type: "object" },
      }),
      entry: nullable({ type: "object", description: "The entry, as its list has it." }),
    }),
  ),
  note: nullable(textSchema("Why.")),
  facts: nullable({ type: "object", description: "What is known of the subject; null after an erasure." }),
});
const exceptionSchema = objectSchema({
  exceptionId: textSchema("UUID."),
  tenant: textSchema("Slug of the subject's tenant."),
  kind: enumSchema("What was cleared.", kinds),
  subjectId: textSchema("Id of the person, company or payment."),
  entryId: textSchema("Entry of the screening list; the exception ends when its names change."),
  reviewId: textSchema("The review that cleared it."),
  author: textSchema("Who cleared it."),
  note: nullable(textSchema("Why; null after an erasure.")),
  createdAt: nullable(instantSchema("When.")),
  listVersion: textSchema("Version of the lists by which it was cleared."),
  expiresAt: nullable(instantSchema("When it ends, and the hit is raised again.")),
});

const instant = (at: Date | undefined): string | null => at?.toISOString() ?? null;

const renderRow = ({ note: _note, factsJson: _facts, hits, openedAt, decidedAt, author, ...row }: Review): object => ({
  ...row,
  hits: hits.map(({ entryId, likenessPercent }) => ({ entryId, likenessPercent })),
  openedAt: instant(openedAt),
  decidedAt: instant(decidedAt),
  author: author ?? null,
});

/** The facts are JSON that identity wrote; they go out as they are. */
function renderReview(review: Review | undefined): object {
  if (review === undefined) throw new Error("the identity service sent no review");
  const hits = review.hits.map(({ entryId, likenessPercent, factorsJson, entryJson }) => {
    return { entryId, likenessPercent, factors: parsed(factorsJson), entry: parsed(entryJson) };
  });
  return { ...renderRow(review), hits, note: review.note ?? null, facts: parsed(review.factsJson) };
}

const parsed = (bytes: Uint8Array | undefined): unknown =>
  bytes === undefined ? null : JSON.parse(Buffer.from(bytes).toString("utf8"));

const renderException = (exception: ScreeningException): object => ({
  ...exception,
  note: exception.note ?? null,
  createdAt: instant(exception.createdAt),
  expiresAt: instant(exception.expiresAt),
});

/** Reviews of persons, companies and payments, and the exceptions that they leave, for operators. */
export const reviewRoutes = (deps: ReviewRouteDeps): readonly Route[] => [
  listRoute(deps),
  showRoute(deps),
  decideRoute(deps),
  ...exceptionRoutes(deps),
];

const listRoute = ({ upstreams: { identity } }: ReviewRouteDeps): Route => ({
  ...common,
  method: "GET",
  path: "/reviews",
  summary: "List reviews, the oldest first; those that are open unless another status is asked for.",
  body: "none",
  query: {
    ...tenantPageQuery,
    subjectId: { description: "Id of a person, company or payment.", schema: { type: "string" } },
    kind: { description: "What is reviewed.", schema: { type: "string", enum: kinds } },
    status: { description: "OPEN without it.", schema: { type: "string", enum: statuses } },
  },
  success: {
    status: 200,
    description: "A page.",
    schema: objectSchema({ reviews: arrayOf(rowSchema), next: nullable(textSchema("Cursor of the next page.")) }),
  },
  refusals: ["INVALID_ARGUMENT"],
  async handle(call: OperatorCall) {
    const query = readQuery(call);
    const [tenant, kind, status] = ["tenant", "kind", "status"].map((name) => query.optionalText(name));
    const [after, subjectId] = ["after", "subjectId"].map((name) => query.optionalText(name));
    const limit = query.wholeNumber("limit", pageLimit);
    query.finish();
    const { reviews, next } = await identity.listReviews({ tenant, kind, status, after, subjectId, limit });
    return jsonAnswer({ reviews: reviews.map(renderRow), next: next ?? null });
  },
});

const showRoute = ({ upstreams: { identity } }: ReviewRouteDeps): Route => ({
  ...common,
  method: "GET",
  path: "/reviews/{reviewId}",
  summary: "Show a review with what is known of its subject.",
  body: "none",
  params: { reviewId: "Id of the review." },
  success: { status: 200, description: "The review.", schema: reviewSchema },
  refusals: ["RECORD_NOT_FOUND"],
  async handle(call: OperatorCall) {
    const { review } = await identity.getReview({ reviewId: requireParam(call, "reviewId") });
    return jsonAnswer(renderReview(review));
  },
});

const decideRoute = ({ upstreams: { identity } }: ReviewRouteDeps): Route => ({
  ...common,
  method: "POST",
  path: "/tenants/{tenant}/reviews/{reviewId}",
  summary: "Approve or reject what is reviewed.",
  body: "json",
  params: { ...tenantParam, reviewId: "Id of the review." },
  requestSchema: objectSchema({
    approve: booleanSchema("True lets the subject go on and clears the hits; false rejects it."),
    note: textSchema("Why; kept with the review.", { minLength: 1, maxLength: 1_000 }),
  }),
  success: {
    status: 200,
    description: "The review.",
    schema: reviewSchema,
  },
  refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
  async handle(call: OperatorCall) {
    const fields = readFields(readJson(call).value);
    const approve = fields.optionalFlag("approve");
    fields.check(approve !== undefined, "approve", "is required and must be true or false");
    const note = fields.text("note");
    fields.finish();
    const which = { tenant: requireParam(call, "tenant"), reviewId: requireParam(call, "reviewId") };
    const decision = { ...which, approve: approve === true, author: call.operator, note };
    const { review } = await identity.decideReview(decision);
    return jsonAnswer(renderReview(review));
  },
});

const exceptionRoutes = ({ upstreams: { identity } }: ReviewRouteDeps): readonly Route[] => [
  {
    ...common,
    method: "GET",
    path: "/exceptions",
    summary: "List hits that were cleared, the oldest first.",
    body: "none",
    query: tenantPageQuery,
    success: {
      status: 200,
      description: "A page.",
      schema: objectSchema({
        exceptions: arrayOf(exceptionSchema),
        next: nullable(textSchema("Cursor of the next page.")),
      }),
    },
    refusals: ["INVALID_ARGUMENT"],
    async handle(call: OperatorCall) {
      const query = readQuery(call);
      const [tenant, after] = ["tenant", "after"].map((name) => query.optionalText(name));
      const limit = query.wholeNumber("limit", pageLimit);
      query.finish();
      const { exceptions, next } = await identity.listExceptions({ tenant, after, limit });
      return jsonAnswer({ exceptions: exceptions.map(renderException), next: next ?? null });
    },
  },
  {
    ...common,
    method: "DELETE",
    path: "/tenants/{tenant}/exceptions/{exceptionId}",
    summary: "Take an exception back; a person or company is screened again at once.",
    body: "none",
    params: { ...tenantParam, exceptionId: "Id of the exception." },
    success: { status: 204, description: "It no longer holds." },
    refusals: ["RECORD_NOT_FOUND"],
    async handle(call: OperatorCall) {
      const which = { tenant: requireParam(call, "tenant"), exceptionId: requireParam(call, "exceptionId") };
      await identity.revokeException(which);
      return noContent;
    },
  },
];

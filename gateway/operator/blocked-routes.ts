import type { Review } from "../../proto/gen/corridor/identity/v1/review_service";
import { defineRoute } from "../contract/define-route";
import { closedQuery, flag, request, requestWith, text } from "../contract/parts";
import type { Columns, SendList } from "../csv";
import type { Route } from "../route";
import { pageMembers } from "./page";
import {
  common,
  type ReviewRouteDeps,
  renderReview,
  renderRow,
  reviewPage,
  reviewShape,
  statusOf,
  tenantParam,
} from "./review-routes";

const reference = { minLength: 1, maxLength: 200 } as const;
const permission = {
  approve: flag("True lets the payment go on, false refuses it."),
  authorityReference: { ...text("The authority's own reference of its permission."), ...reference },
  note: { ...text("Why; kept with the review."), minLength: 1, maxLength: 1_000 },
} as const;
const releaseAbout = "What an authority has allowed about a payment that is blocked.";
const releaseRequest = requestWith("BlockedRelease", releaseAbout, permission, {
  payTo: {
    ...text(
      "With `approve` false: where the authority's order sends the money, `provider/<name>/clearing` or `tenant/<slug>/external`.",
    ),
    ...{ minLength: 1, maxLength: 100 },
  },
});
const reportRequest = request("FiledReport", "That the authority was notified.", {
  reference: { ...text("The reference under which it was filed."), ...reference },
});

const reportColumns: Columns<Review> = [
  ["reviewId", ({ reviewId }) => reviewId],
  ["tenant", ({ tenant: slug }) => slug],
  ["paymentId", ({ subjectId }) => subjectId],
  ["status", statusOf],
  ["decidedAt", ({ decidedAt }) => decidedAt?.toISOString()],
  ["author", ({ author }) => author],
  ["embargo", ({ embargo }) => embargo],
  ["entries", ({ hits }) => hits.map(({ entryId }) => entryId).join(" ")],
  ["listVersion", ({ listVersion }) => listVersion],
  ["reportDueAt", ({ reportDueAt }) => reportDueAt?.toISOString()],
];
const reportCsv = {
  type: "string",
  description: "A line for each report, with the names of its columns first.",
} as const;

type BlockedRouteDeps = ReviewRouteDeps & { sendList: SendList };

/** Blocked payments, and the reports about them that are due to the authority, for operators. */
export const blockedRoutes = (deps: BlockedRouteDeps): readonly Route[] => [releaseRoute(deps), ...reportRoutes(deps)];

const releaseRoute = ({ upstreams: { identity } }: ReviewRouteDeps): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/reviews/{reviewId}/release",
    summary: "Let a blocked payment go on, refuse it, or send its money where an authority orders. Takes two people.",
    isPrivileged: true,
    params: { ...tenantParam, reviewId: "Id of the review." },
    request: releaseRequest,
    response: { status: 200, description: "The review.", schema: reviewShape },
    refusals: ["INVALID_ARGUMENT", "RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    async handle({ operator: author, approver, params, body }) {
      const order = { ...params, payTo: "", ...body, author, approver };
      return renderReview((await identity.releaseBlocked(order)).review);
    },
  });

const reportRoutes = ({ upstreams: { identity }, sendList }: BlockedRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/sanction-reports",
    summary:
      "List blocked and refused payments that must be reported to the authority. `Accept: text/csv` gets all as text.",
    query: closedQuery("Which reports are meant.", { ...pageMembers }),
    response: {
      status: 200,
      description: "A page, the earliest due first.",
      schema: reviewPage,
      also: { mediaType: "text/csv", schema: reportCsv },
    },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ operator, headers, query }) {
      return sendList({
        holder: operator,
        headers,
        name: "sanction-reports",
        columns: reportColumns,
        query,
        async read(page) {
          const { reviews: items, next } = await identity.listReports(page);
          return { items, next };
        },
        render: ({ items, next }) => ({ reviews: items.map(renderRow), next: next ?? null }),
      });
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/reviews/{reviewId}/report",
    summary: "Note that the authority was notified.",
    params: { ...tenantParam, reviewId: "Id of the review." },
    request: reportRequest,
    response: { status: 200, description: "The review.", schema: reviewShape },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    async handle({ operator: author, params, body }) {
      return renderReview((await identity.fileReport({ ...params, ...body, author })).review);
    },
  }),
];

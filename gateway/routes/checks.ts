import type { Upstreams } from "../clients";
import {
  checkForm,
  refuseCheck,
  renderAccountCheck,
  renderCardCheck,
  toAccountCheck,
  toCardCheck,
} from "../codec/check-codec";
import { replayedHeader } from "../codec/render-receipt";
import * as contracts from "../contract/checks";
import { defineRoute, replyWith } from "../contract/define-route";
import type { Route } from "../route";

interface CheckRouteDeps extends Pick<Upstreams, "payment"> {
  linkerSegment: string;
}

const common = { scheme: "bearer", scope: "checks", tag: "Checks" } as const;

/** Checks of accounts and cards before money moves. */
export const checkRoutes = ({ payment, linkerSegment }: CheckRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: `/providers/${linkerSegment}`,
    limit: "check",
    summary: "Open a link flow for a customer's bank account.",
    request: contracts.linkTokenRequest,
    response: { status: 200, description: "The link token.", schema: contracts.linkToken },
    refusals: [],
    async handle({ tenant, body: { phoneNumber, androidPackageName = "" } }) {
      const { token, expiration, requestId } = await payment.createLinkToken({
        tenant,
        phoneNumber,
        androidPackageName,
      });
      return { token, expiration, requestId };
    },
  }),
  accountCheckRoute(payment),
  defineRoute({
    ...common,
    method: "DELETE",
    path: "/account-tokens/{accountTokenId}",
    summary: "Revoke an account token: it cannot be charged any more.",
    params: { accountTokenId: "The accountTokenId of a verified check." },
    response: { status: 204, description: "The token opens nothing any more." },
    refusals: ["PAYMENT_NOT_FOUND"],
    handle: ({ tenant, params: { accountTokenId } }) => payment.revokeAccountToken({ tenant, accountTokenId }),
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/v2/check-card-account",
    limit: "check",
    summary: "Verify a card without a charge: verified, challenged or declined, all with status 200.",
    request: contracts.cardCheckRequest,
    response: { status: 200, description: "One of the shapes.", schema: contracts.cardCheck },
    refusals: [],
    handle: async ({ tenant, body }) => renderCardCheck(await payment.checkCard({ tenant, ...toCardCheck(body) })),
  }),
];

const accountCheckRoute = (payment: Upstreams["payment"]): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/check-account",
    limit: "check",
    isReplayed: true,
    summary: "Verify a linked account.",
    request: contracts.accountCheckRequest,
    response: { status: 200, description: "Verified, or declined.", schema: contracts.accountCheck },
    refusals: ["REQUEST_RUNNING", "IDEMPOTENCY_CONFLICT", "PAYMENT_NOT_FOUND"],
    whenRefused: async ({ tenant = "", body = {} }, violations) =>
      refuseCheck(violations, await payment.validateAccountCheck({ tenant, check: toAccountCheck(body) })),
    async handle({ tenant, body }) {
      const request = { tenant, check: toAccountCheck(body), answerForm: checkForm };
      const { receipt, replayed } = await payment.checkAccount(request);
      return replyWith(renderAccountCheck(receipt), replayedHeader(replayed));
    },
  });

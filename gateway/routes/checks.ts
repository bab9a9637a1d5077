import type { Upstreams } from "../clients";
import { jsonAnswer, noContent, type Route, requireParam, type TenantCall } from "../route";
import {
  accountCheckRequestSchema,
  accountCheckSchema,
  cardCheckRequestSchema,
  cardCheckSchema,
  linkTokenRequestSchema,
  linkTokenSchema,
} from "../schemas/check-schemas";

interface CheckRouteDeps extends Pick<Upstreams, "payment"> {
  linkerSegment: string;
}

const common = { scheme: "bearer", scope: "checks", tag: "Checks" } as const;
const json = { "content-type": "application/json" };

/** Accounts and cards, checked before money moves. The payment service reads the bodies and makes the answers. */
export function checkRoutes({ payment, linkerSegment }: CheckRouteDeps): readonly Route[] {
  return [
    {
      ...common,
      method: "POST",
      path: `/providers/${linkerSegment}`,
      limit: "check",
      summary: "Open a link flow for a customer's bank account.",
      body: "json",
      requestSchema: linkTokenRequestSchema,
      success: { status: 200, description: "The link token.", schema: linkTokenSchema },
      refusals: [],
      async handle({ tenant, body }: TenantCall) {
        const { token, expiration, requestId } = await payment.createLinkToken({ tenant, bodyJson: body });
        return jsonAnswer({ token, expiration, requestId });
      },
    },
    {
      ...common,
      method: "POST",
      path: "/check-account",
      limit: "check",
      isReplayed: true,
      summary: "Verify a linked account.",
      body: "json",
      requestSchema: accountCheckRequestSchema,
      success: { status: 200, description: "Verified, or declined.", schema: accountCheckSchema },
      refusals: ["REQUEST_RUNNING", "IDEMPOTENCY_CONFLICT", "PAYMENT_NOT_FOUND"],
      async handle({ tenant, body }: TenantCall) {
        const { bodyJson, replayed } = await payment.checkAccount({ tenant, bodyJson: body });
        const headers = replayed ? { ...json, "idempotency-replayed": "true" } : json;
        return { status: 200, headers, body: Buffer.from(bodyJson) };
      },
    },
    {
      ...common,
      method: "DELETE",
      path: "/account-tokens/{accountTokenId}",
      summary: "Revoke an account token: it cannot be charged any more.",
      body: "none",
      params: { accountTokenId: "The accountTokenId of a verified check." },
      success: { status: 204, description: "The token opens nothing any more." },
      refusals: ["PAYMENT_NOT_FOUND"],
      async handle(call: TenantCall) {
        const accountTokenId = requireParam(call, "accountTokenId");
        await payment.revokeAccountToken({ tenant: call.tenant, accountTokenId });
        return noContent;
      },
    },
    {
      ...common,
      method: "POST",
      path: "/v2/check-card-account",
      limit: "check",
      summary: "Verify a card without a charge: verified, challenged or declined, all with status 200.",
      body: "json",
      requestSchema: cardCheckRequestSchema,
      success: { status: 200, description: "One of the shapes.", schema: cardCheckSchema },
      refusals: [],
      async handle({ tenant, body }: TenantCall) {
        const { bodyJson } = await payment.checkCard({ tenant, bodyJson: body });
        return { status: 200, headers: json, body: Buffer.from(bodyJson) };
      },
    },
  ];
}

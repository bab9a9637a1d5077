import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Route } from "../route";

export const providerCallbackRoutes = ({
  payment,
  identity,
  documents,
}: Pick<Upstreams, "payment" | "identity" | "documents">): readonly Route[] => [
  defineRoute({
    method: "POST",
    path: "/provider-callbacks/{rail}",
    isHot: true,
    scheme: "none",
    summary: "Take a provider's signed report. The signature in x-signature is the credential.",
    tag: "Providers",
    proof: "signature",
    params: {
      rail: "Rail that the report comes from; kyc, documents and screening for those who verify persons.",
    },
    // The signature covers the raw bytes, and the provider defines the format.
    request: { kind: "bytes", schema: { description: "The provider's own format." } },
    response: { status: 204, description: "The report is stored; it need not be sent again." },
    refusals: ["UNAUTHENTICATED", "ROUTE_NOT_FOUND"],
    async handle({ params: { rail }, headers: { "x-signature": signature }, body }) {
      const report = { signature: typeof signature === "string" ? signature : "", body };
      if (rail === "kyc") await identity.receiveKycReport(report);
      else if (rail === "screening") await identity.receiveScreeningReport(report);
      else if (rail === "documents") await documents.receiveDocumentReport(report);
      else await payment.receiveCallback({ rail, ...report });
    },
  }),
];

import type { Upstreams } from "../clients";
import { noContent, type Route, requireParam } from "../route";

export function providerCallbackRoutes({
  payment,
  identity,
  documents,
}: Pick<Upstreams, "payment" | "identity" | "documents">): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/provider-callbacks/{rail}",
      scheme: "none",
      summary: "Take a provider's signed report. The signature in x-signature is the credential.",
      tag: "Providers",
      body: "bytes",
      proof: "signature",
      params: {
        rail: "Rail that the report comes from; kyc, documents and screening for those who verify persons.",
      },
      requestSchema: { description: "The provider's own format." },
      success: { status: 204, description: "The report is stored; it need not be sent again." },
      refusals: ["UNAUTHENTICATED"],
      async handle(call) {
        const signature = call.headers["x-signature"];
        const report = { signature: typeof signature === "string" ? signature : "", body: call.body };
        const rail = requireParam(call, "rail");
        if (rail === "kyc") await identity.receiveKycReport(report);
        else if (rail === "screening") await identity.receiveScreeningReport(report);
        else if (rail === "documents") await documents.receiveDocumentReport(report);
        else await payment.receiveCallback({ rail, ...report });
        return noContent;
      },
    },
  ];
}

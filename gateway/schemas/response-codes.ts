/** Values of `responseCode`, as docs/errors.md lists them: codes of ISO 8583, and the specified one of a declined check. */
export const responseCodes: Readonly<Record<string, string>> = {
  "00": "approved",
  "05": "declined, without a reason of its own",
  "09": "in progress: the outcome comes by webhook or look-up",
  "1A": "the cardholder must confirm first, at redirectAcsUrl",
  "82": "the cardholder's confirmation failed or came too late",
  PAY_022: "the card check was declined by the provider",
};

/** The list in words, for the OpenAPI document. */
export const responseCodeWords = `${Object.entries(responseCodes)
  .map(([code, meaning]) => `${code}: ${meaning}`)
  .join("; ")}. Another value is the card network's own code; status and approved say what it comes to.`;

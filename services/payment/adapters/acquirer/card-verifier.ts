import { textOf } from "../../../shared/crypto/callback-signature";
import { isPage, type ProviderCall } from "../../../shared/http/provider-call";
import type { JsonObject } from "../../../shared/kernel/json";
import type { CardCapability, CardReport } from "../../domain/card-check";
import type { CardOutcome, CardVerifier } from "../../domain/check-ports";
import { wordsOf } from "../answers";
import { binOf, lastFourOf } from "./card-digits";

const statuses = ["VERIFIED", "DECLINED", "CHALLENGE"] as const;

/** Checks cards at the acquirer, over HTTP and JSON. The acquirer's answer is validated before it is used. */
export function makeCardVerifier(call: ProviderCall): CardVerifier {
  return {
    async verify({ reference, cardToken, ipAddress, cardholder, hasNameInquiry }) {
      const { firstName, lastName, address } = cardholder;
      const holder = { firstName, lastName, address: givenTexts(address) };
      const body = { reference, cardToken, ipAddress, ...holder, nameInquiry: hasNameInquiry };
      const answer = await call("POST", "/acquirer/verifications", body);
      if (answer === undefined || textOf(answer.body, "reference") !== reference) return { kind: "unknown" };
      if (answer.status === 422 && textOf(answer.body, "error") === "unknown_token") return { kind: "unknown-token" };
      return answer.status < 300 ? read(answer.body) : { kind: "unknown" };
    },
  };
}

/** Omits texts that were not given. */
const givenTexts = (texts: object): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));

function read(body: JsonObject): CardOutcome {
  const status = statuses.find((candidate) => candidate === body["status"]);
  const redirectAcsUrl = textOf(body, "redirectAcsUrl") ?? "";
  if (status === undefined || (status === "CHALLENGE" && !isPage(redirectAcsUrl))) return { kind: "unknown" };
  const card = objectOf(body["card"]);
  const report: CardReport = {
    status,
    redirectAcsUrl,
    scheme: wordsOf(card, "scheme") ?? "",
    category: wordsOf(card, "category") ?? "",
    issuerName: wordsOf(card, "issuer") ?? "",
    issuerCountry: wordsOf(card, "country") ?? "",
    bin: binOf(card, "bin"),
    lastFour: lastFourOf(card),
    avs: wordsOf(body, "avs") ?? "",
    cvc: wordsOf(body, "cvc") ?? "",
    cardholderName: wordsOf(body, "nameResult") ?? "",
    oct: capabilityOf(body["oct"]),
    aft: capabilityOf(body["aft"]),
  };
  return { kind: "report", report };
}

function capabilityOf(value: JsonObject[string] | undefined): CardCapability | undefined {
  const found = objectOf(value);
  if (typeof found["capable"] !== "boolean") return undefined;
  return {
    capable: found["capable"],
    highPerforming: found["highPerforming"] === true,
    lowPerforming: found["lowPerforming"] === true,
  };
}

const objectOf = (value: JsonObject[string] | undefined): JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};

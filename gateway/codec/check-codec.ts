import type {
  AccountCheck,
  AccountCheckReceipt,
  CheckCardRequest,
  CheckCardResponse,
  DeclinedCard,
  ValidateAccountCheckResponse,
  VerifiedAccount,
  VerifiedCard,
} from "../../proto/gen/corridor/payment/v1/check_service";
import { paymentTime } from "../../services/shared/kernel/clock";
import { DomainError, type FieldViolation, invalid } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import type { accountCheck, accountCheckRequest, cardCheck, cardCheckRequest } from "../contract/checks";
import type { Draft } from "../contract/draft";
import type { Answered, Infer } from "../contract/infer";
import { noParty } from "./payment-intent";

/** The receipt form that this release requests. */
export const checkForm = 1;

/** Returns the message of a checked body. For a draft it carries the members that remain. */
export function toAccountCheck({
  externalPaymentId = "",
  sender,
}: Draft<Infer<typeof accountCheckRequest>>): AccountCheck {
  const { countryCode = "", accountCheckToken = "", accountCheckId = "" } = sender?.paymentMethod ?? {};
  return { externalPaymentId, countryCode, publicToken: accountCheckToken, accountId: accountCheckId };
}

/**
 * Throws what was found about the fields of a check that the gateway has refused. A request that breaks a rule can never be the one
 * accepted under its id: if the id was used, the refusal says that.
 */
export function refuseCheck(known: readonly FieldViolation[], found: ValidateAccountCheckResponse): never {
  if (!found.isKnown) throw invalid(found.violations);
  const names = [...found.differentFields, ...known.map(({ field }) => field.split(".")[0] ?? field)];
  const fields = [...new Set(names)].toSorted();
  throw new DomainError(
    "IDEMPOTENCY_CONFLICT",
    `externalPaymentId was used with different content: ${fields.join(", ")}`,
    {
      details: { fields },
    },
  );
}

type RenderedAccount = Answered<typeof accountCheck>;

function accountForm1({ paymentId, externalPaymentId, checkedAt, outcome }: AccountCheckReceipt): RenderedAccount {
  const identity = { paymentId, parentPaymentId: paymentId, externalPaymentId };
  const created = paymentTime(sent(checkedAt, "time"));
  const told = sent(outcome, "outcome");
  return told.$case === "verified"
    ? renderVerified(identity, created, told.value)
    : { ...identity, created, approved: false, status: "DECLINED" };
}

const renderVerified = (
  identity: Pick<RenderedAccount, "paymentId" | "parentPaymentId" | "externalPaymentId">,
  created: string,
  account: VerifiedAccount,
): RenderedAccount => ({
  ...identity,
  accountTokenId: account.accountTokenId,
  created,
  approved: true,
  accessToken: account.accessToken,
  status: "VERIFIED",
  bankAccountName: account.name,
  accountNumberMasked: account.accountNumberMasked,
  routingNumberMasked: account.routingNumberMasked,
});

/**
 * Renderers of receipts by the number of their form. A form never changes: a caller who repeats a check gets the bytes of the first answer.
 * A new field of the answer makes a new form, which one release can render before any release requests it.
 */
const accountForms: Readonly<Record<number, (receipt: AccountCheckReceipt) => RenderedAccount>> = {
  // Form 0 is recorded for callers who render no receipt: through this API it is rendered as form 1.
  0: accountForm1,
  1: accountForm1,
};

/** The answer to the check of an account. JSON.stringify always produces the same bytes for it. */
export function renderAccountCheck(receipt: AccountCheckReceipt | undefined): RenderedAccount {
  const known = sent(receipt, "receipt");
  const render = accountForms[known.answerForm];
  if (render === undefined) throw new DomainError("UNAVAILABLE", "the answer is in a form of a later release");
  return render(known);
}

/** The message of a check of a card. */
export function toCardCheck({
  externalPaymentId,
  ipAddress,
  sender,
}: Infer<typeof cardCheckRequest>): Omit<CheckCardRequest, "tenant"> {
  const { firstName, lastName, email = "", phoneNumber = "", address, paymentMethod } = sender;
  const cardholder = {
    ...noParty,
    firstName,
    lastName,
    email,
    phoneNumber,
    address: { state: "", line2: "", ...address },
  };
  return { externalPaymentId, ipAddress, cardToken: paymentMethod.cardTokenId, cardholder };
}

/** The answer to the check of a card, in the shape that its outcome asks for. Unknown facts are left out. */
export function renderCardCheck({ outcome }: CheckCardResponse): Answered<typeof cardCheck> {
  const told = sent(outcome, "outcome");
  switch (told.$case) {
    case "verified":
      return renderVerifiedCard(told.value);
    case "challenged": {
      const { card, challengeUrl } = told.value;
      const results = { avs: notSupported, cvc: notSupported, cardholderName: notSupported };
      return { ...renderVerifiedCard({ card, results, oct: none, aft: none }), redirectAcsUrl: challengeUrl };
    }
    case "declined":
      return renderDeclinedCard(told.value);
  }
}

const notSupported = "NOT_SUPPORTED";
const none = { capable: false, highPerforming: false, lowPerforming: false };

function renderVerifiedCard({ card, results, oct, aft }: VerifiedCard) {
  const { checkedAt, issuerName, issuerCountry, bin, lastFour } = sent(card, "card");
  const { avs, cvc, cardholderName } = sent(results, "results");
  return {
    card: { created: paymentTime(sent(checkedAt, "time")), ...given({ issuerName, issuerCountry, bin, lastFour }) },
    verificationResults: { avs, cvc, aavCardholderName: cardholderName },
    octStatus: sent(oct, "capability"),
    aftStatus: sent(aft, "capability"),
    redirectAcsUrl: "",
  };
}

/** Returns the shape of a payment for a payment that does not exist. */
function renderDeclinedCard({ paymentId, externalPaymentId, card, results }: DeclinedCard) {
  const { checkedAt, issuerName, issuerCountry } = sent(card, "card");
  const { avs, cvc, cardholderName } = sent(results, "results");
  return {
    paymentId,
    parentPaymentId: paymentId,
    externalPaymentId,
    created: paymentTime(sent(checkedAt, "time")),
    amount: exactNumber("0"),
    approved: false,
    status: "DECLINED" as const,
    responseCode: "PAY_022",
    message: "Rejected by provider",
    ...given({ issuerName, issuerCountry }),
    avsResult: avs || "N/A",
    cvcResult: cvc || "N/A",
    aavCardholderNameResult: cardholderName || "N/A",
    redirectAcsUrl: "",
  };
}

const given = <T extends Readonly<Record<string, string>>>(facts: T): Partial<T> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== "")) as Partial<T>;

/** The value, which every answer of the payment service has. */
function sent<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the payment service sent a check without its ${what}`);
  return value;
}

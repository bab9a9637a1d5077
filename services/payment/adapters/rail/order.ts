import type { JsonObject, JsonValue } from "../../../shared/kernel/json";
import { formatMoney } from "../../../shared/kernel/money";
import type { Party } from "../../domain/party";
import { methodInWords } from "../../domain/payment-methods";
import type { PayoutInstruction } from "../../domain/payout-instruction";

/** Returns the complete instruction in the form that rails take. Texts that were not given are omitted. */
export function orderOf({ reference, amount, corridor, method, ...others }: PayoutInstruction): object {
  const { ultimateDebtorReference, debtor, debtorIpAddress, creditor, texts } = others;
  const words = methodInWords(method);
  return {
    reference,
    ultimateDebtorReference,
    amount: formatMoney(amount),
    currency: amount.currency,
    countryCode: corridor,
    method: words.type,
    account: { ...words, countryCode: corridor },
    debtor: { ...partyOf(debtor), ...given({ ipAddress: debtorIpAddress }) },
    creditor: partyOf(creditor),
    ...given({ purpose: texts.purpose, descriptor: texts.descriptor, remittance: texts.narrative }),
    ...(Object.keys(texts.extras).length > 0 && { extras: texts.extras }),
  };
}

const partyOf = ({ address, documents, ...texts }: Party): JsonObject => ({
  ...given({ ...texts }),
  ...(address !== undefined && { address: given({ ...address }) }),
  ...(documents.length > 0 && { documents: documents.map((document): JsonValue => given({ ...document })) }),
});

const given = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));

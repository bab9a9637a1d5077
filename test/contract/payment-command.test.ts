import { toIntent } from "../../gateway/codec/payment-intent";
import { paymentWords } from "../../gateway/codec/payment-words";
import { bodyReader } from "../../gateway/contract/compile";
import { paymentRequest } from "../../gateway/contract/payments";
import { cardTokensOfIntent, commandOf } from "../../services/payment/domain/intent-command";
import { readPayload } from "../../services/payment/domain/payload-shape";
import { cardTokensOf, toCommand } from "../../services/payment/domain/payment-request";
import { decodeIntent } from "../../services/payment/handlers/intent-codec";
import { parseJsonObject } from "../../services/shared/kernel/json";
import { paymentVariants } from "../support/payment-variants";

const read = bodyReader(paymentRequest);
const identity = { tenant: "demo", externalId: "variant-1", agentId: undefined, hashes: {} };

it.each(paymentVariants)("makes the same command of a message as of the body: %s", (_name, body) => {
  const text = JSON.stringify(body);
  const { value } = read(Buffer.from(text));
  if (value === undefined) throw new Error("the body is refused");
  const parsed = parseJsonObject(text);

  const { intent } = decodeIntent(toIntent(value));

  const payload = readPayload(parsed.value);
  const words = paymentWords(value);
  const tokens = cardTokensOfIntent(intent).map(({ field, token }) => ({ field: words(field), token }));
  expect(tokens).toEqual(cardTokensOf(payload));
  const { payout, ...before } = toCommand(identity, payload, parsed);
  // The body may name the country in the recipient's address alone; the message names it once.
  const account = payout && { ...payout.account, countryCode: payout.countryCode };
  expect(commandOf(identity, intent)).toEqual({ ...before, payout: payout && { ...payout, account } });
});

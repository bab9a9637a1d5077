import { alpha2ToAlpha3 } from "i18n-iso-countries";
import { toIntent, unfitMembers } from "../../gateway/codec/payment-intent";
import { paymentWords } from "../../gateway/codec/payment-words";
import { bodyReader } from "../../gateway/contract/compile";
import { paymentRequest } from "../../gateway/contract/payments";
import { PaymentIntent } from "../../proto/gen/corridor/payment/v1/payment_intent";
import { customerFieldInWords, customerView, intentView } from "../../services/payment/adapters/schema/intent-view";
import { intentViolations } from "../../services/payment/domain/intent-rules";
import { decodeIntent } from "../../services/payment/handlers/intent-codec";
import { paymentVariants } from "../support/payment-variants";

const read = bodyReader(paymentRequest);

/** The dotted path and value of every leaf. */
const leavesOf = (value: unknown, path = ""): [string, unknown][] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, part]) => leavesOf(part, path === "" ? name : `${path}.${name}`))
    : [[path, value]];

/** Countries of customers' addresses have two letters for callers and three inside. */
const inside = (path: string, value: unknown): unknown =>
  path.endsWith("customerAddress.countryCode") ? alpha2ToAlpha3(String(value)) : value;

describe.each(paymentVariants)("%s", (_name, body) => {
  const { value, violations = [] } = read(Buffer.from(JSON.stringify(body)));

  it("is taken by the route, gets into a message, and every leaf of the view has the caller's name and value", () => {
    expect(violations).toEqual([]);
    if (value === undefined) return;
    expect(unfitMembers(value)).toEqual([]);
    const words = paymentWords(value);
    const sent = PaymentIntent.encode(toIntent(value)).finish();

    const { intent, violations: found } = decodeIntent(PaymentIntent.decode(sent));

    expect([...found, ...intentViolations(intent, undefined)]).toEqual([]);
    const isCustomer = intent.payout?.profile === "CUSTOMER";
    const seen = new Map([
      ...leavesOf(intentView(intent)),
      ...(isCustomer
        ? leavesOf(customerView(intent))
            .filter(([path]) => path.includes("customer.countryCodeAlpha3"))
            .map(([path, leaf]): [string, unknown] => [customerFieldInWords(path), leaf])
        : []),
    ]);
    const own = new Map([...seen].map(([path, leaf]) => [words(path), leaf]));
    const sender = leavesOf(body).filter(([path]) => path !== "sender.customer.countryCodeAlpha3" || isCustomer);
    expect(Object.fromEntries(own)).toEqual({
      ...Object.fromEntries(sender.map(([path, leaf]) => [path, inside(path, leaf)])),
      // What a push to a person says of its sender's country stands in the address, where that names none.
      ...(own.has("sender.customer.countryCodeAlpha3") && { "sender.customer.countryCodeAlpha3": "CAN" }),
    });
  });
});

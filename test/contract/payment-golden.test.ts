import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderAccountCheck } from "../../gateway/codec/check-codec";
import { renderCapture, renderRefund, renderVoid } from "../../gateway/codec/payment-action";
import { renderReceipt } from "../../gateway/codec/render-receipt";
import { AccountCheck, AccountCheckReceipt } from "../../proto/gen/corridor/payment/v1/check_service";
import { PaymentAction } from "../../proto/gen/corridor/payment/v1/payment_action";
import { PaymentIntent } from "../../proto/gen/corridor/payment/v1/payment_intent";
import { PaymentReceipt } from "../../proto/gen/corridor/payment/v1/payment_receipt";
import { accountCheckFields } from "../../services/payment/handlers/account-check-codec";
import { decodeIntent } from "../../services/payment/handlers/intent-codec";

/**
 * What releases have written, which every later one must read alike. The files only grow: a new version of fingerprints or a new
 * form of receipts gets a file of its own beside them.
 */
const golden = (name: string): unknown => JSON.parse(readFileSync(join(__dirname, "../data/golden", name), "utf8"));
const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

interface Fingerprint {
  says: string;
  message: string;
  agent?: string;
  rows: Record<string, string>;
}

interface Receipt {
  says: string;
  message: string;
  text: string;
}

it.each(golden("payment-fingerprints-2.json") as Fingerprint[])(
  "takes the fingerprint of a $says, version 2",
  ({ message, agent, rows }) => {
    expect(decodeIntent(PaymentIntent.decode(bytes(message)), agent).fields).toEqual(rows);
  },
);

it.each(golden("payment-receipts-1.json") as Receipt[])(
  "renders the receipt of a $says, form 1",
  ({ message, text }) => {
    expect(JSON.stringify(renderReceipt(PaymentReceipt.decode(bytes(message))))).toBe(text);
  },
);

const renderers = { capture: renderCapture, void: renderVoid, refund: renderRefund } as const;

it.each(golden("payment-actions-1.json") as (Receipt & { kind: keyof typeof renderers })[])(
  "renders the answer to a $says, form 1",
  ({ message, kind, text }) => {
    const action = PaymentAction.decode(bytes(message));

    expect(JSON.stringify(renderers[kind](action))).toBe(text);
    expect(() => renderers[kind]({ ...action, answerForm: 2 })).toThrow("later release");
  },
);

it.each(golden("account-checks-1.json") as Receipt[])("renders the check of a $says, form 1", ({ message, text }) => {
  const receipt = AccountCheckReceipt.decode(bytes(message));

  expect(JSON.stringify(renderAccountCheck(receipt))).toBe(text);
  expect(() => renderAccountCheck({ ...receipt, answerForm: 2 })).toThrow("later release");
});

it.each(golden("account-check-fingerprints-2.json") as Fingerprint[])(
  "takes the fingerprint of a $says, version 2",
  ({ message, rows }) => {
    expect(accountCheckFields(AccountCheck.decode(bytes(message)))).toEqual(rows);
  },
);

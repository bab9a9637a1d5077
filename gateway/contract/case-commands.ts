import { BegunStep, FactKind } from "../../proto/gen/corridor/payment/v1/case_service";
import { currency, listOf, requestWith, text, words } from "./parts";
import type { Schema, TaggedSchema } from "./schema";

/** The commands on a case. A member of another command is refused: its caller must mean something else. */

/** Names of an enum as people read them, without its zero. */
const namesOf = (wire: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(wire).filter((name) => name !== "UNSPECIFIED" && name !== "UNRECOGNIZED");

const commandId = {
  type: "string",
  description: "The operator's own id of the decision, a UUID; the same again changes nothing.",
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  rule: "must be a UUID in lower case",
} as const satisfies Schema;
const note = {
  ...text("Why."),
  pattern: "[^\\s]",
  maxLength: 2_000,
  rule: "must have 1 to 2000 characters",
} as const satisfies Schema;
const evidence = { ...words("What proves it."), maxLength: 16_000 } as const satisfies Schema;
const paymentId = text("Payment; needed where the case is not about one payment.");

/** Amounts are texts here, so that no digit is lost on the way. */
const decimal = {
  ...text("Exact amount as decimal text, with no more decimals than the currency has; below 0 for what leaves."),
  pattern: "^-?[0-9]{1,14}(?:\\.[0-9]{1,14})?$",
  rule: "must be a decimal text with no more decimals than the currency has",
  examples: ["10.50"],
} as const satisfies Schema;

const amount = requestWith("CommandAmount", "An amount.", { total: decimal, currency }, {});

const posting = requestWith(
  "CommandPosting",
  "What enters or leaves an account.",
  {
    account: words("For example tenant/demo/funding, provider/pix/clearing or platform/write-offs."),
    currency,
    total: decimal,
  },
  {},
);

const common = { commandId, note } as const;

const settleStep = requestWith(
  "SettleStep",
  "Take a fact as reported, as if its provider had said it.",
  {
    ...common,
    command: { ...text("What is done."), const: "settleStep" },
    kind: { ...text("What happened."), enum: namesOf(FactKind) },
    evidence,
  },
  {
    amount,
    movementId: text("The provider's own id of the movement; without one a refund is the one under way."),
    paymentId,
  },
);

const askProvider = requestWith(
  "AskProvider",
  "Ask the provider again what became of the payment.",
  { ...common, command: { ...text("What is done."), const: "askProvider" } },
  { evidence, paymentId },
);

const beginStep = requestWith(
  "BeginStep",
  "Begin to give money back, or let a payout go.",
  {
    ...common,
    command: { ...text("What is done."), const: "beginStep" },
    step: { ...text("What to begin."), enum: namesOf(BegunStep) },
  },
  { evidence, amount, paymentId },
);

const postCorrection = requestWith(
  "PostCorrection",
  "Post an entry that is linked to the case.",
  {
    ...common,
    command: { ...text("What is done."), const: "postCorrection" },
    postings: { ...listOf("What it posts; of each currency they add up to zero.", posting), minItems: 2, maxItems: 20 },
  },
  { evidence },
);

const repointFact = requestWith(
  "RepointFact",
  "Give the facts of the case that still wait to a payment, once.",
  {
    ...common,
    command: { ...text("What is done."), const: "repointFact" },
    paymentId: words("The payment that gets them."),
  },
  { evidence },
);

const assign = requestWith(
  "AssignCase",
  "Name who works on the case.",
  {
    ...common,
    command: { ...text("What is done."), const: "assign" },
    owner: text("The operator who works on it; empty for none."),
  },
  { evidence },
);

const close = requestWith(
  "CloseCase",
  "End the case, and with it a payment that waits for a person alone.",
  { ...common, command: { ...text("What is done."), const: "close" } },
  { evidence },
);

export const caseCommand = {
  title: "CaseCommand",
  type: "object",
  description: "What is done about a case.",
  discriminator: { propertyName: "command" },
  oneOf: [close, settleStep, askProvider, beginStep, postCorrection, repointFact, assign],
} as const satisfies TaggedSchema;

import { BegunStep, FactKind } from "../../proto/gen/corridor/payment/v1/case_service";
import { caseCommand } from "../contract/case-commands";
import { bodyReader } from "../contract/compile";
import { toCommand, wrongDigits } from "./case-command-codec";

const decision = { commandId: "5a9f4f0e-9d1c-4a6b-8f0e-2b7c1d3e4f5a", note: "seen" };
const readBody = bodyReader(caseCommand);

/** The message of a command, or the reason why it is refused. */
function read(command: object): unknown {
  const { value, draft, violations = [] } = readBody(Buffer.from(JSON.stringify({ ...decision, ...command })));
  const refused = [...violations, ...wrongDigits(value ?? draft ?? {})];
  if (value === undefined || refused.length > 0) return refused.map(({ field, message }) => `${field} ${message}`);
  return toCommand(value);
}

describe("a command on a case", () => {
  it.each([
    [
      { command: "settleStep", kind: "PAID", evidence: "letter", amount: { total: "10.5", currency: "USD" } },
      {
        $case: "settleStep",
        value: {
          kind: FactKind.PAID,
          amount: { amountMinor: 1_050n, currency: "USD" },
          movementId: "",
          paymentId: "",
        },
      },
    ],
    [{ command: "askProvider" }, { $case: "askProvider", value: { paymentId: "" } }],
    [
      { command: "beginStep", step: "REFUND", paymentId: "p" },
      { $case: "beginStep", value: { step: BegunStep.REFUND, amount: undefined, paymentId: "p" } },
    ],
    [
      {
        command: "postCorrection",
        postings: ["-10", "10"].map((total) => ({ account: "platform/write-offs", currency: "JPY", total })),
      },
      {
        $case: "postCorrection",
        value: {
          postings: [-10n, 10n].map((minor) => ({ account: "platform/write-offs", currency: "JPY", minor })),
        },
      },
    ],
    [
      { command: "repointFact", paymentId: "p" },
      { $case: "repointFact", value: { paymentId: "p" } },
    ],
    [
      { command: "assign", owner: "" },
      { $case: "assign", value: { owner: "" } },
    ],
    [
      { command: "close", evidence: "letter" },
      { $case: "close", value: {} },
    ],
  ])("is read as a message: %j", (command, message) => {
    expect(read(command)).toEqual(message);
  });

  const commands = "close, settleStep, askProvider, beginStep, postCorrection, repointFact, assign";
  it.each([
    [{ command: "explode", amount: null, postings: 5 }, [`command must be one of ${commands}`]],
    [{}, ["command is required and must be a string"]],
    [{ command: "close", owner: "bob" }, ["owner is not known"]],
    [{ command: "beginStep", step: "REFUND", amuont: {} }, ["amuont is not known; did you mean amount?"]],
    [{ command: "settleStep", kind: "PAID" }, ["evidence is required and must be a string"]],
    [{ command: "close", commandId: "1" }, ["commandId must be a UUID in lower case"]],
    [{ command: "close", note: " " }, ["note must have 1 to 2000 characters"]],
    [
      { command: "beginStep", step: "REFUND", amount: { total: "1.005", currency: "USD" } },
      ["amount.total must be a decimal text with no more decimals than the currency has"],
    ],
    [
      { command: "beginStep", step: "REFUND", amount: { total: "1e3", currency: "USD" } },
      ["amount.total must be a decimal text with no more decimals than the currency has"],
    ],
    [
      { command: "beginStep", step: "REFUND", amount: { total: "1", currency: "XXY" } },
      ["amount.currency must be an ISO 4217 currency, three capital letters"],
    ],
    [
      {
        command: "postCorrection",
        postings: [{ account: "a", currency: "JPY", total: "1.5" }, null, { acount: "a", currency: "USD", total: "1" }],
      },
      [
        "postings.1 must be an object",
        "postings.2.account is required and must be a string",
        "postings.2.acount is not known; did you mean account?",
        "postings.0.total must be a decimal text with no more decimals than the currency has",
      ],
    ],
    [
      {
        command: "postCorrection",
        postings: ["0.00", "-0"].map((total) => ({ account: "a", currency: "USD", total })),
      },
      ["postings.0.total must not be 0", "postings.1.total must not be 0"],
    ],
    [{ command: "postCorrection", postings: [] }, ["postings must have at least 2 elements"]],
  ])("is refused, field by field: %j", (command, refused) => {
    expect(read(command)).toEqual(refused);
  });
});

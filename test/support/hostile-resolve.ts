import { randomUUID } from "node:crypto";
import { BegunStep, type CommandCaseRequest, FactKind } from "../../proto/gen/corridor/payment/v1/case_service";
import type { Balance } from "./hostile-books";
import type { HostileWorld } from "./hostile-world";

/** An operator's view of an open case. */
interface Patient {
  /** Empty for a case about a reference of no payment. */
  paymentId: string;
  /** The payment's call in progress. */
  step: string | undefined;
  /** The provider's book minus ours. */
  difference: Balance;
}

type Command = NonNullable<CommandCaseRequest["command"]>;
type Treatment = (patient: Patient) => Command | undefined;

/** The provider may know more by now. */
const ask: Treatment = ({ paymentId, step, difference }) =>
  paymentId !== "" && (difference.size > 0 || step !== undefined)
    ? { $case: "askProvider", value: { paymentId } }
    : undefined;

/** Posts what the statement proves and no answer has reported. */
const correct: Treatment = ({ difference }) => {
  if (difference.size === 0) return undefined;
  const postings = [...difference].flatMap(([key, minor]) => {
    const [provider = "", currency = ""] = key.split(" ");
    return [
      { account: `provider/${provider}/clearing`, currency, minor },
      { account: "platform/suspense", currency, minor: -minor },
    ];
  });
  return { $case: "postCorrection", value: { postings } };
};

const ends: Readonly<Record<string, FactKind>> = { void: FactKind.VOIDED, cancel: FactKind.CANCELLED };

/** All moved money is posted: the unanswered call has moved nothing more, and never will. */
const settle: Treatment = ({ paymentId, step, difference }) =>
  step === undefined || difference.size > 0
    ? undefined
    : {
        $case: "settleStep",
        value: { kind: ends[step] ?? FactKind.REFUSED, amount: undefined, movementId: "", paymentId },
      };

const close: Treatment = ({ step, difference }) =>
  step === undefined && difference.size === 0 ? { $case: "close", value: {} } : undefined;

/** A case that could not be closed has a payout or an authorisation open; the other command's refusal shows which. */
const begin =
  (one: BegunStep): Treatment =>
  ({ paymentId, step, difference }) =>
    paymentId !== "" && step === undefined && difference.size === 0
      ? { $case: "beginStep", value: { step: one, amount: undefined, paymentId } }
      : undefined;

/** Operators' treatments of open cases, in order. */
export const treatments: readonly Treatment[] = [
  ask,
  correct,
  settle,
  close,
  begin(BegunStep.CANCEL),
  begin(BegunStep.VOID),
];

/** Sends a command under dual control, with a note and evidence; returns the refusal, if it is refused. */
export async function give(
  { payment }: Pick<HostileWorld, "payment">,
  caseId: string,
  command: Command,
): Promise<string | undefined> {
  try {
    await payment.commandCase({
      caseId,
      commandId: randomUUID(),
      author: "ada",
      approver: "grace",
      note: "the provider's statement says so",
      evidence: "line of the statement",
      command,
    });
    return undefined;
  } catch (error) {
    return `the command ${command.$case} was refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}

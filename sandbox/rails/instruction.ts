import type { Movement } from "../movements";
import type { Step } from "../steps";
import { shownSteps } from "../steps";

/** Details from a caller: texts, or objects and lists of them. */
export type Details = Readonly<Record<string, unknown>>;

/** An order to pay, as its caller wrote it. The amount is decimal text. */
export interface Order {
  reference: string;
  /** Reference of the payment at the payer's institution. */
  ultimateDebtorReference: string;
  amount: string;
  currency: string;
  countryCode: string;
  method: string;
  /** Fields of the recipient's payment method. */
  account: Readonly<Record<string, string>>;
  /** The payer and the recipient, with all their details. */
  debtor: Details;
  creditor: Details;
  purpose: string;
  /** Text for the recipient's statement, and text about the transaction. */
  descriptor: string;
  remittance: string;
  /** Further texts of the corridor. */
  extras: Details;
}

/** FORGOTTEN: the order's release was lost, and the rail does not know the order until it is cancelled. */
export type InstructionStatus =
  | "PREPARED"
  | "HELD"
  | "REFUSED"
  | "RELEASED"
  | "PAID"
  | "REJECTED"
  | "RETURNED"
  | "CANCELLED"
  | "FORGOTTEN";

/** A rail's record of one instruction. Times are ISO 8601. */
export interface Instruction {
  reference: string;
  rail: string;
  railId: string;
  status: InstructionStatus;
  /** Null in a tombstone, as are amount and currency: the reference was cancelled before any order came. */
  order: Order | null;
  amount: string | null;
  currency: string | null;
  endToEndId: string | null;
  /** The recipient's receipt for a counter; only the money-services network issues one. */
  receipt: string | null;
  reasonCode: string | null;
  reason: string | null;
  prepareCalls: number;
  releaseCalls: number;
  cancelCalls: number;
  /** Number of irrevocable effects. More than one would be a bug of the rail, which must be visible. */
  releases: number;
  /** What a release pays, if a rule deviates from the order. */
  pays?: { amount: string; currency: string; copies: number };
  /** Money that left, and money that came back. */
  payouts: Step[];
  returns: Step[];
  createdAt: string;
  releasedAt: string | null;
  paidAt: string | null;
  returnedAt: string | null;
}

type Outcome = Pick<Instruction, "endToEndId" | "receipt" | "reasonCode" | "reason">;

const toldOf = ({ endToEndId, receipt, reasonCode, reason }: Outcome): object =>
  known({ endToEndId, receipt, reasonCode, reason });

const known = (fields: Readonly<Record<string, string | null>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

export const brief = ({ reference, railId, status, amount, currency }: Instruction) => ({
  reference,
  railId,
  status,
  ...(amount === null ? {} : { amount }),
  ...(currency === null ? {} : { currency }),
});

/** An instruction as its caller sees it. */
export const describe = (instruction: Instruction): object => ({
  ...brief(instruction),
  ...toldOf(instruction),
  ...known({ releasedAt: instruction.releasedAt, paidAt: instruction.paidAt, returnedAt: instruction.returnedAt }),
  payouts: shownSteps(instruction.payouts),
  returns: shownSteps(instruction.returns),
});

/** An instruction as callbacks report it, with the movement in question, if any. */
export const reportOf = (instruction: Instruction, occurredAt: string, movement?: Movement) => ({
  ...brief(instruction),
  ...toldOf(instruction),
  ...(movement === undefined
    ? {}
    : { movementId: movement.movementId, amount: movement.amount, currency: movement.currency }),
  occurredAt,
});

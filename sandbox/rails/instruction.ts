import type { Movement } from "../movements";
import type { Step } from "../steps";
import { shownSteps } from "../steps";

/** What a caller told: texts, or objects and lists of them. */
export type Told = Readonly<Record<string, unknown>>;

/** An order to pay, as its caller wrote it. The amount is decimal text. */
export interface Order {
  reference: string;
  /** The name of the payment at the institution that serves who pays. */
  ultimateDebtorReference: string;
  amount: string;
  currency: string;
  countryCode: string;
  method: string;
  /** Fields of the recipient's payment method. */
  account: Readonly<Record<string, string>>;
  /** Who gives the money and who gets it, with all that was told of them. */
  debtor: Told;
  creditor: Told;
  purpose: string;
  /** Text for the statement of the recipient, and text about the transaction. */
  descriptor: string;
  remittance: string;
  /** Further texts of the corridor. */
  extras: Told;
}

/** FORGOTTEN is an order whose release was lost: until it is cancelled the rail knows nothing of it. */
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

/** What a rail knows about one instruction. Times are ISO 8601. */
export interface Instruction {
  reference: string;
  rail: string;
  railId: string;
  status: InstructionStatus;
  /** Null in a tombstone: the reference was cancelled before any order came. The amount and currency too. */
  order: Order | null;
  amount: string | null;
  currency: string | null;
  endToEndId: string | null;
  /** What the recipient shows at a counter; the money-services network alone gives one. */
  receipt: string | null;
  reasonCode: string | null;
  reason: string | null;
  prepareCalls: number;
  releaseCalls: number;
  cancelCalls: number;
  /** Irrevocable effects. More than one would be a bug of the rail that must be seen. */
  releases: number;
  /** What it pays once it is released, where a rule says so. */
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

/** An instruction as a callback tells of it: with the movement that it is about, where there is one. */
export const reportOf = (instruction: Instruction, occurredAt: string, movement?: Movement) => ({
  ...brief(instruction),
  ...toldOf(instruction),
  ...(movement === undefined
    ? {}
    : { movementId: movement.movementId, amount: movement.amount, currency: movement.currency }),
  occurredAt,
});

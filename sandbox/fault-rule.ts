/** Operations that fault rules can name, by provider. */
export type Operations = Readonly<Record<string, readonly string[]>>;

export const answerKinds = [
  "timeout",
  "lost",
  "reset",
  "truncated",
  "oversized",
  "html",
  "empty",
  "wrong-currency",
  "wrong-amount",
  "other-reference",
  "totals",
] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** A false answer: one in place of the true one, or a distortion of it. */
export interface AnswerInstead {
  status?: number;
  /** Any JSON value, or text that is sent unchanged. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  kind?: AnswerKind;
}

/** What a provider executes instead of the request. */
export interface Effect {
  amount?: string;
  currency?: string;
  /** Number of times; each is a movement of its own. */
  copies?: number;
}

/** A provider's spontaneous act on an order, at once or after a number of seconds of business time. */
export interface ActOrder {
  act: string;
  amount?: string;
  afterSeconds?: number;
  /** Suppresses the callback about it. */
  isSilent?: boolean;
}

export const signatureFaults = ["wrong", "other-provider", "stale", "none", "body"] as const;
export type SignatureFault = (typeof signatureFaults)[number];

/** A further report beside the true one, with other fields. */
export interface ExtraReport {
  when?: "before" | "after";
  /** True: carries the event id of the true report. */
  hasSameEvent?: boolean;
  change?: Readonly<Record<string, unknown>>;
}

/** Distortion of one report of a provider. */
export interface ReportFault {
  isSuppressed?: boolean;
  copies?: number;
  change?: Readonly<Record<string, unknown>>;
  extras?: readonly ExtraReport[];
  /** Delays the report by this time, while later reports about its order do not wait for it. */
  overtakenMs?: number;
}

/** Distortion of the statement line of one movement. */
export interface LineFault {
  is?: "missing" | "doubled" | "late";
  /** Business time, for a late line. */
  afterSeconds: number;
  /** Fields of the line that differ from the movement. */
  change?: Readonly<{ amount?: string; currency?: string; reference?: string }>;
}

/** The fault of one call. Without any field set there is none. */
export interface Fault {
  /** Wait after the durable effect and before the answer. */
  latencyMs: number;
  /** Status to answer instead of executing anything. */
  status: number | undefined;
  /** Executes the call but never answers it. */
  timeoutAfterExecute: boolean;
  /** The provider decides against the caller where it has a decision to make; elsewhere it answers 503 without executing. */
  refuse: boolean;
  /** False: executes nothing. */
  execute: boolean;
  answer?: AnswerInstead | undefined;
  effect?: Effect | undefined;
  /** When a callback reports the order's state after this call. */
  tell?: "before" | "after" | undefined;
  acts?: readonly ActOrder[] | undefined;
  report?: ReportFault | undefined;
  signature?: SignatureFault | undefined;
  line?: LineFault | undefined;
}

/** Selects the calls that a fault applies to. */
export interface Rule {
  provider: string;
  step: string;
  mark: string | undefined;
  reference: string | undefined;
  /** The first matching call that it applies to, counted from 1. */
  nth: number | undefined;
  /** Number of matching calls so far. */
  seen: number;
  /** Number of calls that the rule still applies to. */
  left: number;
  fault: Fault;
}

export const faultNone: Fault = {
  latencyMs: 0,
  status: undefined,
  timeoutAfterExecute: false,
  refuse: false,
  execute: true,
};

/** The status to answer instead of executing, if the fault has one. */
export function statusInstead(fault: Fault): number | undefined {
  return fault.status ?? (fault.refuse ? 503 : undefined);
}

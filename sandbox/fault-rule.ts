/** What can go wrong at each provider, by its name. */
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

/** What is answered in place of the truth, or what is made of the truth on its way. */
export interface AnswerInstead {
  status?: number;
  /** Any JSON value, or a text that is sent as it is. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  kind?: AnswerKind;
}

/** What a provider executes in place of what it was asked for. */
export interface Effect {
  amount?: string;
  currency?: string;
  /** How often; each is a movement of its own. */
  copies?: number;
}

/** Something that a provider does by itself to an order, at once or after so many seconds of business time. */
export interface ActOrder {
  act: string;
  amount?: string;
  afterSeconds?: number;
  /** No callback tells of it. */
  isSilent?: boolean;
}

export const signatureFaults = ["wrong", "other-provider", "stale", "none", "body"] as const;
export type SignatureFault = (typeof signatureFaults)[number];

/** One more report beside the true one, with other fields. */
export interface ExtraReport {
  when?: "before" | "after";
  /** True: under the event id of the true one. */
  hasSameEvent?: boolean;
  change?: Readonly<Record<string, unknown>>;
}

/** What becomes of one report of a provider. */
export interface ReportFault {
  isSuppressed?: boolean;
  copies?: number;
  change?: Readonly<Record<string, unknown>>;
  extras?: readonly ExtraReport[];
  /** It is overtaken: sent so much later, while later ones of its order do not wait for it. */
  overtakenMs?: number;
}

/** What becomes of the statement line of one movement. */
export interface LineFault {
  is?: "missing" | "doubled" | "late";
  /** Of business time, for a late one. */
  afterSeconds: number;
  /** The line says other than what moved. */
  change?: Readonly<{ amount?: string; currency?: string; reference?: string }>;
}

/** What goes wrong with one call. Without any field set, nothing does. */
export interface Fault {
  /** Waited after the durable effect and before the answer. */
  latencyMs: number;
  /** Answered instead of executing anything. */
  status: number | undefined;
  /** Executed, but never answered. */
  timeoutAfterExecute: boolean;
  /** The provider decides against the caller where it has a decision to make; elsewhere it answers 503, unexecuted. */
  refuse: boolean;
  /** False: nothing is executed. */
  execute: boolean;
  answer?: AnswerInstead | undefined;
  effect?: Effect | undefined;
  /** When a callback tells where the order stands after this call. */
  tell?: "before" | "after" | undefined;
  acts?: readonly ActOrder[] | undefined;
  report?: ReportFault | undefined;
  signature?: SignatureFault | undefined;
  line?: LineFault | undefined;
}

/** When a fault applies. */
export interface Rule {
  provider: string;
  step: string;
  mark: string | undefined;
  reference: string | undefined;
  /** The first of the matching calls that it applies to, counted from 1. */
  nth: number | undefined;
  /** Matching calls so far. */
  seen: number;
  /** Calls that the rule still applies to. */
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

/** The status that stands in for an execution, if the fault asks for one. */
export function statusInstead(fault: Fault): number | undefined {
  return fault.status ?? (fault.refuse ? 503 : undefined);
}

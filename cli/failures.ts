import { CorridorError, OutcomeUnknown, Unreachable } from "../sdk/src/main.ts";

/** Exit codes of commands. They are part of the contract: README.md lists them. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3, unknown: 4, declined: 5 } as const;

/** The command line itself is wrong, or something that it needs is missing. */
export class Usage extends Error {
  override readonly name = "Usage";
}

/** The awaited payment or other object ended unsuccessfully. */
export class Declined extends Error {
  override readonly name = "Declined";
}

/** A login has ended without a session. */
export class NotLoggedIn extends Error {
  override readonly name = "NotLoggedIn";
}

/** A check found something wrong, and has shown it. */
export class Shown extends Error {
  override readonly name = "Shown";
}

export interface Failure {
  readonly code: number;
  /** For people. */
  readonly text: string;
  /** For programs, under `--json`. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Returns the texts of a failure, and its exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof OutcomeUnknown) {
    const { operation, id, ask, message } = error;
    const next = askCommand(ask);
    const text = next === undefined ? message : `${message}\nnext: ${next}`;
    return { code: exitCodes.unknown, text, facts: { error: "OutcomeUnknown", operation, id, ask, next } };
  }
  if (error instanceof Unreachable) {
    const text = `${error.message}: ${causeOf(error.cause)}; nothing was done`;
    return { code: exitCodes.unreachable, text, facts: { error: "Unreachable", operation: error.operation } };
  }
  if (error instanceof CorridorError) {
    const { code, status, message, requestId, errors, details } = error;
    const guide = code.includes("_") && !code.startsWith("HTTP_") ? `\nwhat to do: docs/guides/errors.md, ${code}` : "";
    const text = `${message}${requestId === "" ? "" : `\nrequest: ${requestId}`}${guide}`;
    return { code: exitCodes.refused, text, facts: { error: code, status, message, requestId, errors, details } };
  }
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof Declined) return { code: exitCodes.declined, text, facts: { error: "Declined", message: text } };
  return {
    code: error instanceof Usage || error instanceof TypeError ? exitCodes.usage : exitCodes.refused,
    text,
    facts: { error: error instanceof Error ? error.name : "Error", message: text },
  };
}

/** Returns the command that asks for the outcome of a request with a lost answer. */
function askCommand(ask: string | undefined): string | undefined {
  const [, kind, id] = /^GET \/(v2\/payment|wallets\/transfer)\/(.+)$/.exec(ask ?? "") ?? [];
  if (id === undefined) return undefined;
  return kind === "v2/payment" ? `corridor payments get ${id}` : `corridor wallets transfer get ${id}`;
}

/** Returns the innermost reason: the outer ones say only that it failed. */
function causeOf(error: unknown): string {
  const { cause, message } = Object(error) as { cause?: unknown; message?: unknown };
  if (cause !== undefined) return causeOf(cause);
  return typeof message === "string" && message !== "" ? message : String(error);
}

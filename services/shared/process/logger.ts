import pino from "pino";
import { currentCall } from "./call-context";

/** Structured JSON lines on standard output. Fields never hold personal data or secrets. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** The logger of one process. `error` means a human must act now, `warn` degraded but handled, `info` state changed. */
export function makeLogger(service: string, level: LogLevel): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: "message",
    // People search logs for a payment by its caller's id.
    mixin: () => ({ ...currentCall()?.about }),
    formatters: { level: (label) => ({ level: label }) },
  });
}

/** The loggable parts of an error: its name, message and stack, and those of its cause. */
export function errorFields(error: unknown): { error: object } {
  if (!(error instanceof Error)) return { error: { message: String(error) } };
  const cause = error.cause === undefined ? {} : { cause: errorFields(error.cause).error };
  return { error: { name: error.name, message: error.message, stack: error.stack, ...cause } };
}

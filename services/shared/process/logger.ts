import pino, { type DestinationStream } from "pino";
import { currentCall } from "./call-context";

/** Structured JSON lines on standard output. Fields never hold personal data or secrets. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

let output: DestinationStream | undefined;

/**
 * Opens standard output, to which all lines of one turn of the event loop are written together, in order, because each write is a system
 * call. The lines of the last turn are written when the process ends.
 */
function openOutput(): DestinationStream {
  const destination = pino.destination({ dest: 1, sync: true });
  let waiting = "";
  const flush = (): void => {
    const lines = waiting;
    waiting = "";
    if (lines !== "") destination.write(lines);
  };
  process.once("exit", flush);
  return {
    write(line) {
      if (waiting === "") setImmediate(flush);
      waiting += line;
    },
  };
}

/** The logger of one process. `error` means a human must act now, `warn` degraded but handled, `info` state changed. */
export function makeLogger(service: string, level: LogLevel): Logger {
  output ??= openOutput();
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: "message",
    // People look for a payment in the logs by its caller's id.
    mixin: () => ({ ...currentCall()?.about }),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, output);
}

/** The loggable parts of an error: its name, message and stack, and those of its cause. */
export function errorFields(error: unknown): { error: object } {
  if (!(error instanceof Error)) return { error: { message: String(error) } };
  const cause = error.cause === undefined ? {} : { cause: errorFields(error.cause).error };
  return { error: { name: error.name, message: error.message, stack: error.stack, ...cause } };
}

import type { Outgoing } from "../sdk/src/main.ts";
import { Usage } from "./failures.ts";
import type { Output } from "./output.ts";

/** POST requests that change nothing, or only the caller's own session. A quote is not binding. */
const questions: ReadonlySet<string> = new Set([
  "POST /oauth/token",
  "POST /v2/foreign-exchange",
  "POST /v2/payment/validate",
  "POST /login",
  "POST /login/answer",
  "POST /login/device",
  "POST /login/device/answer",
  "DELETE /session",
]);

/** The request that `--dry-run` shows in place of sending it. */
export class WouldSend extends Error {
  override readonly name = "WouldSend";

  constructor(
    readonly request: Outgoing,
    /** The platform's answer without carrying it out, if it offers one. */
    readonly preflight: object | undefined,
  ) {
    super("nothing was sent");
  }
}

/** Checks every request of a command before it is sent. */
export interface Gate {
  readonly isDryRun: boolean;
  /** Stores what the platform says about a request that is not going to be sent. */
  keepPreflight(said: object): void;
  /** Lets a request pass, or throws; `isProduction`: it would reach production. */
  pass(request: Outgoing, isProduction: boolean): Promise<void>;
}

export interface GateOptions {
  /** The words of the command. */
  readonly command: string;
  /** True if the command is marked as changing something. */
  readonly changes: boolean;
  readonly isDryRun: boolean;
  /** True if no confirmation is needed. */
  readonly isSure: boolean;
  readonly out: Output;
  /** Asks on the terminal; undefined if there is none. */
  ask(question: string): Promise<string | undefined>;
}

/** Lets reading requests through, shows changing ones in a dry run, and asks once before a change reaches production. */
export function makeGate({ command, changes, isDryRun, isSure, out, ask }: GateOptions): Gate {
  let preflight: object | undefined;
  let isAgreed = isSure;
  return {
    isDryRun,
    keepPreflight(said) {
      preflight = said;
    },
    async pass(request, isProduction) {
      const { operation, url } = request;
      if (operation.startsWith("GET ") || questions.has(operation)) return;
      // Without this mark the command has neither --dry-run nor --yes, and would make changes without confirmation.
      if (!changes) throw new Error(`${command} does not say that it changes something, and sends ${operation}`);
      if (out.format === "csv" || out.format === "jsonl") throw new Usage("--jsonl and --csv are for lists");
      if (isDryRun) throw new WouldSend(request, preflight);
      if (isAgreed || !isProduction) return;
      const { origin } = new URL(url);
      const answer = await ask(`${command} changes production at ${origin} (${operation}). Go on? [y/N] `);
      if (answer === undefined) {
        throw new Usage(
          `${origin} is production, and there is no terminal to confirm at: add --yes to change it, or --dry-run to look. Nothing was sent`,
        );
      }
      if (!/^y(es)?$/i.test(answer.trim())) throw new Error("nothing was sent");
      isAgreed = true;
    },
  };
}

import type { Outgoing } from "../sdk/src/main.ts";
import { Usage } from "./failures.ts";
import type { Output } from "./output.ts";

/** What is asked by POST and changes nothing, or nothing but the session of who asks. A quote binds nobody. */
const questions: ReadonlySet<string> = new Set([
  "POST /oauth/token",
  "POST /v2/foreign-exchange",
  "POST /v2/payment/validate",
  "POST /login",
  "POST /login/answer",
  "DELETE /session",
]);

/** The request that `--dry-run` shows in place of sending it. */
export class WouldSend extends Error {
  override readonly name = "WouldSend";

  constructor(
    readonly request: Outgoing,
    /** What the platform says of it without doing it, where it can. */
    readonly preflight: object | undefined,
  ) {
    super("nothing was sent");
  }
}

/** Stands before every request of a command. */
export interface Gate {
  readonly isDryRun: boolean;
  /** Keeps what the platform says of a request that is not going to be sent. */
  keepPreflight(said: object): void;
  /** Lets a request pass, or throws; `isProduction` says what it is sent to. */
  pass(request: Outgoing, isProduction: boolean): Promise<void>;
}

export interface GateOptions {
  /** The words of the command. */
  readonly command: string;
  /** True where the command has said that it changes something. */
  readonly changes: boolean;
  readonly isDryRun: boolean;
  /** True where nobody has to be asked. */
  readonly isSure: boolean;
  readonly out: Output;
  /** Asks on the terminal; undefined where there is none. */
  ask(question: string): Promise<string | undefined>;
}

/** Lets reading through, shows what would change something in a dry run, and asks, once, before it reaches production. */
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
      // Without its mark the command had neither --dry-run nor --yes, and would change what nobody has agreed to.
      if (!changes) throw new Error(`${command} does not say that it changes something, and sends ${operation}`);
      if (out.format === "csv" || out.format === "jsonl") throw new Usage("--jsonl and --csv are for lists");
      if (isDryRun) throw new WouldSend(request, preflight);
      if (isAgreed || !isProduction) return;
      const { origin } = new URL(url);
      const answer = await ask(`${command} changes production at ${origin} (${operation}). Go on? [y/N] `);
      if (answer === undefined) {
        throw new Usage(
          `${origin} is production and nobody can be asked: say --yes to change it, or --dry-run to look. Nothing was sent`,
        );
      }
      if (!/^y(es)?$/i.test(answer.trim())) throw new Error("nothing was sent");
      isAgreed = true;
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { CorridorError, OutcomeUnknown, Unreachable } from "../../sdk/src/main.ts";
import type { OperatorApi } from "../../sdk/src/operator.ts";
import type { Context } from "../context.ts";
import { NotLoggedIn } from "../failures.ts";
import { keepSession, openOperator } from "./access.ts";

/** A platform that does not answer is asked no longer than this. */
const longestSeconds = 900;

type Told = OperatorApi["POST /login/device/answer"]["answer"];

/**
 * Shows an address and a code, and waits until the person has logged in with them in a browser of any machine (RFC 8628). The provider's
 * secret of the login stays with the platform.
 */
export async function logInByDevice(context: Context): Promise<object> {
  const { env, out, signal } = context;
  const { call } = openOperator(context, { isNobody: true });
  const begun = await call("POST /login/device", {}, { signal });
  const { login, userCode, verificationUri, verificationUriComplete } = begun;
  const short = verificationUriComplete === null ? "" : `\nor open ${verificationUriComplete} and compare the code`;
  out.say(`Open ${verificationUri} in a browser of any machine, and enter the code ${userCode}${short}`);
  let { intervalSeconds } = begun;
  for (let waitedSeconds = 0; ; ) {
    await sleep(intervalSeconds * 1_000, undefined, { signal });
    waitedSeconds += intervalSeconds;
    // One question at a time: a repeat would come before the interval is over.
    const told: Told | undefined = await call(
      "POST /login/device/answer",
      { body: { login } },
      { signal, tries: 1 },
    ).catch((error: unknown) => {
      if (!isForAWhile(error) || waitedSeconds > longestSeconds) throw error;
      return undefined;
    });
    // Who gets no answer asks half as often (RFC 8628 section 3.5).
    intervalSeconds = told?.intervalSeconds ?? intervalSeconds * 2;
    if (told?.session !== undefined) {
      const { session, ...known } = told.session;
      keepSession(env, session);
      return known;
    }
    if (told?.state === "DENIED") throw new NotLoggedIn("the login was denied at the identity provider");
    if (told?.state === "EXPIRED") throw new NotLoggedIn("the code is too old: log in again");
  }
}

/** True for what may be over at the next question. */
const isForAWhile = (error: unknown): boolean =>
  error instanceof Unreachable ||
  error instanceof OutcomeUnknown ||
  (error instanceof CorridorError && [429, 503].includes(error.status));

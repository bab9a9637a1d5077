import type { Problem } from "../app/problem";

/** What the codes of docs/errors.md mean to the person in front of the screen. */
const meanings: Readonly<Record<string, string>> = {
  NETWORK: "The platform cannot be reached",
  VE_001: "Something in the form is not as it must be",
  PAY_001: "There is no way for this money to get there",
  PAY_271: "This country is not served",
  PAY_404: "There is no such payment",
  PAY_409: "The payment’s state does not allow it",
  PAY_410: "The quote has expired",
  PAY_411: "The quote cannot be used any more",
  PAY_412: "The quote is for something else",
  PAY_413: "The funds do not cover it",
  IDM_001: "The same request is still running",
  IDM_002: "This id was used for something else before",
  AUTH_001: "You are not logged in any more",
  AUTH_002: "The agent may not do this",
  AUTH_004: "Your access does not include this",
  AUTH_005: "None of your roles allows this",
  AUTH_006: "This needs a fresh login",
  RL_001: "Too much at once",
  WAL_404: "There is no such wallet",
  WH_404: "There is no such endpoint",
  FX_404: "There is no such quote",
  OPS_404: "There is nothing under this address",
  OPS_409: "Its present state does not allow it",
  PER_404: "There is no such person",
  REQ_404: "There is nothing under this address",
  SYS_500: "Something broke on our side",
  SYS_503: "A part of the platform does not answer",
};

/** The sentence that stands above a problem. */
export function meaningOf(problem: Problem | undefined): string {
  if (problem === undefined) return "The console made a mistake";
  return meanings[problem.code] ?? (problem.status >= 500 ? "Something broke on our side" : "That was refused");
}

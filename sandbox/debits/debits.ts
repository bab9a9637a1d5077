import { Router } from "express";
import { minorOf } from "../amounts";
import { answerProblems, asObject, type Fields, fieldsOf, text } from "../input";
import type { Call, Serve } from "../serve";
import { parseStep, referenceRule } from "../steps";
import type { DebitBook, DebitRequest } from "./debit-book";

interface DebitDeps {
  debits: DebitBook;
  serve: Serve;
  accountOf: AccountOf;
}

/** Finds the account number behind an access token of the linker; undefined when the token does not open the account. */
export type AccountOf = (accessToken: string, accountId: string) => string | undefined;

/** Operations that fault rules can name at the bank network. */
export const debitOperations = ["debit", "void", "refund", "query", "report", "callback", "statement"] as const;

const provider = "debits";

/** The HTTP routes of the bank network, which debits linked and named accounts. */
export function debitRoutes({ debits, serve, accountOf }: DebitDeps): Router {
  const routes = Router();
  routes.post("/debits", async (req, res) => {
    const fields = fieldsOf(req.body);
    const request = parseDebit(fields, accountOf);
    if (answerProblems(res, fields)) return;
    // Here `refuse` is the network's own decision, which it books.
    const call: Call = { provider, step: "debit", reference: request.reference, body: req.body, isDecision: true };
    await serve(res, call, ({ refuse, effect }) => debits.debit(request, req.body, refuse, effect));
  });
  routes.get("/debits/:reference", async (req, res) => {
    const { reference } = req.params;
    await serve(res, { provider, step: "query", reference }, async () => debits.query(reference));
  });
  routes.post("/debits/:reference/void", async (req, res) => {
    const fields = fieldsOf(req.body);
    const step = parseStep(fields, false);
    if (answerProblems(res, fields)) return;
    const { reference } = req.params;
    await serve(res, { provider, step: "void", reference, key: step.reference }, () =>
      debits.cancel(reference, step.reference),
    );
  });
  routes.post("/debits/:reference/refunds", async (req, res) => {
    const fields = fieldsOf(req.body);
    const step = parseStep(fields, true);
    if (answerProblems(res, fields)) return;
    const { reference } = req.params;
    const call = { provider, step: "refund", reference, key: step.reference };
    await serve(res, call, ({ effect }) => debits.refund(reference, step, effect));
  });
  return routes;
}

function parseDebit({ value, field, check }: Fields, accountOf: AccountOf): DebitRequest {
  const amount = text(value["amount"]);
  const currency = text(value["currency"]);
  check((minorOf(amount, currency) ?? 0n) > 0n, "amount", "must be positive decimal text of an ISO 4217 currency");
  const account = asObject(value["account"]);
  const accessToken = text(value["accessToken"]);
  const isLinked = accessToken !== "";
  const isNamed = Object.keys(account).length > 0;
  check(isLinked !== isNamed, "accessToken", "is required, or an account in its place");
  const linked = isLinked ? accountOf(accessToken, text(value["accountId"])) : undefined;
  check(!isLinked || linked !== undefined, "accessToken", "does not belong to a linked account");
  if (isNamed) {
    check(isAba(text(account["routingNumber"])), "account.routingNumber", "must be an ABA routing number");
    check(/^\d{4,17}$/.test(text(account["accountNumber"])), "account.accountNumber", "must have 4 to 17 digits");
    check(text(account["accountType"]) !== "", "account.accountType", "is required");
  }
  return {
    reference: field("reference", referenceRule, "must be 1 to 255 of A-Z a-z 0-9 . _ : -"),
    amount,
    currency,
    accountNumber: linked ?? text(account["accountNumber"]),
  };
}

const abaWeights = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** Nine digits whose weighted sum is a multiple of ten. */
function isAba(routingNumber: string): boolean {
  if (!/^\d{9}$/.test(routingNumber)) return false;
  const sum = [...routingNumber].reduce((total, digit, index) => total + Number(digit) * (abaWeights[index] ?? 0), 0);
  return sum % 10 === 0;
}

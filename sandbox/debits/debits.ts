import { Router } from "express";
import { minorOf } from "../amounts";
import { answerUnderFault, type Faults } from "../faults";
import { answerProblems, asObject, type Fields, fieldsOf, text } from "../input";
import { parseStep, referenceRule } from "../steps";
import type { DebitBook, DebitRequest } from "./debit-book";

interface DebitDeps {
  debits: DebitBook;
  faults: Faults;
  accountOf: AccountOf;
}

/** The account number behind an access token of the linker; undefined when the token opens no such account. */
export type AccountOf = (accessToken: string, accountId: string) => string | undefined;

/** What can go wrong at the bank network. */
export const debitOperations = ["debit", "void", "refund", "query", "callback"] as const;

/** The HTTP face of the bank network, which debits linked and named accounts. */
export function debitRoutes({ debits, faults, accountOf }: DebitDeps): Router {
  const routes = Router();
  routes.post("/debits", async (req, res) => {
    const fields = fieldsOf(req.body);
    const request = parseDebit(fields, accountOf);
    if (answerProblems(res, fields)) return;
    // Here `refuse` is the network's own decision, which it books.
    const { refuse, ...fault } = faults.take("debits", "debit");
    await answerUnderFault(res, { ...fault, refuse: false }, () => debits.debit(request, req.body, refuse));
  });
  routes.get("/debits/:reference", async (req, res) => {
    await answerUnderFault(res, faults.take("debits", "query"), async () => debits.query(req.params.reference));
  });
  routes.post("/debits/:reference/void", async (req, res) => {
    const fields = fieldsOf(req.body);
    const { reference } = parseStep(fields, false);
    if (answerProblems(res, fields)) return;
    await answerUnderFault(res, faults.take("debits", "void"), () => debits.cancel(req.params.reference, reference));
  });
  routes.post("/debits/:reference/refunds", async (req, res) => {
    const fields = fieldsOf(req.body);
    const step = parseStep(fields, true);
    if (answerProblems(res, fields)) return;
    await answerUnderFault(res, faults.take("debits", "refund"), () => debits.refund(req.params.reference, step));
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
  check(!isLinked || linked !== undefined, "accessToken", "is of no linked account");
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

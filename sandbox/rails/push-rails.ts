import { type Request, type Response, Router } from "express";
import { minorOf } from "../amounts";
import { type Answer, notFound } from "../answer";
import { answerProblems, asObject, fieldsOf, type Problem, text } from "../input";
import { refuseWith } from "../refusals";
import type { Decision } from "../scenarios";
import type { Call, Serve } from "../serve";
import { refuseIncomplete } from "./demands";
import type { Funds } from "./funds";
import type { Order } from "./instruction";
import type { Decided, Instructions } from "./instructions";
import { type RailFacts, rails } from "./rail-facts";

interface PushRailDeps {
  instructions: Instructions;
  funds: Funds;
  serve: Serve;
  finalityWindowMs: number;
  /** Returns why a card cannot receive a push; undefined when it can. */
  refuseCard(token: string): Decision | undefined;
}

/** Operations that fault rules can name at a rail. */
export const railOperations = [
  "prepare",
  "release",
  "query",
  "cancel",
  "balance",
  "settle",
  "report",
  "callback",
  "statement",
] as const;

const forbidden: Decision = { reasonCode: "AG01", reason: "transaction forbidden" };

/** The HTTP routes of every push rail. */
export function pushRailRoutes(deps: PushRailDeps): Router {
  const { instructions, funds, serve, finalityWindowMs } = deps;
  const router = Router();
  router.param("rail", (_req, res, next, rail: string) => {
    if (rails[rail] === undefined) send(res, notFound);
    else next();
  });

  router.get("/rails/:rail", (req, res) => {
    const { rail } = req.params;
    res.json({ rail, finalityWindowMs, hasPrepare: factsOf(rail).hasPrepare });
  });
  router.post("/rails/:rail/instructions", async (req, res) => {
    const { rail } = req.params;
    if (!factsOf(rail).hasPrepare) return send(res, refuseWith("no_prepare_step"));
    await takeOrder(deps, req, res, "prepare", (order, decided) => instructions.prepare(rail, order, decided));
  });
  router.post("/rails/:rail/instructions/:reference/release", async (req, res) => {
    const { rail, reference } = req.params;
    if (factsOf(rail).hasPrepare) {
      const call = { provider: rail, step: "release", reference };
      await serve(res, call, ({ effect }) => instructions.release(rail, reference, effect));
      return;
    }
    req.body = { ...asObject(req.body), reference };
    await takeOrder(deps, req, res, "release", (order, decided) => instructions.instruct(rail, order, decided));
  });
  router.get("/rails/:rail/instructions/:reference", async (req, res) => {
    const { rail, reference } = req.params;
    await serve(res, { provider: rail, step: "query", reference }, async () => instructions.query(rail, reference));
  });
  router.post("/rails/:rail/instructions/:reference/cancel", async (req, res) => {
    const { rail, reference } = req.params;
    await serve(res, { provider: rail, step: "cancel", reference }, () => instructions.cancel(rail, reference));
  });
  router.get("/rails/:rail/balance", async (req, res) => {
    const { rail } = req.params;
    await serve(res, { provider: rail, step: "balance" }, async () => ({
      status: 200,
      body: { rail, balances: funds.of(rail, factsOf(rail).currencies) },
    }));
  });
  return router;
}

/** Reads an order and passes it on with its fault. Here `refuse` is the rail's own decision, which it books. */
async function takeOrder(
  { serve, refuseCard }: PushRailDeps,
  req: Request<{ rail: string }>,
  res: Response,
  operation: "prepare" | "release",
  take: (order: Order, decided: Decided) => Promise<Answer>,
): Promise<void> {
  const { rail } = req.params;
  const { order, problems } = parseOrder(req.body, factsOf(rail));
  if (answerProblems(res, { problems, value: asObject(req.body) })) return;
  const refused = refuseIncomplete(order);
  if (refused !== undefined) return send(res, refused);
  const { reference } = order;
  const refusal = rail === "card" ? refuseCard(order.account["cardTokenId"] ?? "") : undefined;
  const call: Call = { provider: rail, step: operation, reference, body: req.body, isDecision: true };
  await serve(res, call, ({ refuse, effect }) => take(order, { refusal: refuse ? forbidden : refusal, effect }));
}

const send = (res: Response, { status, body }: Answer): void => {
  res.status(status).json(body);
};

function factsOf(rail: string): RailFacts {
  const facts = rails[rail];
  if (facts === undefined) throw new Error(`there is no rail ${rail}`);
  return facts;
}

function parseOrder(body: unknown, facts: RailFacts): { order: Order; problems: Problem[] } {
  const { value, field, check, problems } = fieldsOf(body);
  const words = (name: string): string => field(name, /^.{0,1000}$/su, "must be at most 1000 characters");
  const order: Order = {
    reference: field("reference", /^[A-Za-z0-9._:-]{1,255}$/, "must be 1 to 255 of A-Z a-z 0-9 . _ : -"),
    ultimateDebtorReference: words("ultimateDebtorReference"),
    amount: text(value["amount"]),
    currency: text(value["currency"]),
    countryCode: field("countryCode", /^[A-Z]{3}$/, "must be an alpha-3 code"),
    method: text(value["method"]),
    account: textsOf(value["account"]),
    debtor: asObject(value["debtor"]),
    creditor: asObject(value["creditor"]),
    purpose: words("purpose"),
    descriptor: words("descriptor"),
    remittance: words("remittance"),
    extras: textsOf(value["extras"]),
  };
  check(facts.currencies.includes(order.currency), "currency", "must be a currency of this rail");
  check((minorOf(order.amount, order.currency) ?? 0n) > 0n, "amount", "must be positive decimal text of that currency");
  check(facts.methods.includes(order.method), "method", `must be ${facts.methods.join(" or ")}`);
  for (const [name, rule] of Object.entries(facts.account)) {
    check(rule.test(order.account[name] ?? ""), `account.${name}`, "is required in the form of this rail");
  }
  return { order, problems };
}

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([name, entry]) => (typeof entry === "string" ? [[name, entry]] : [])),
  );

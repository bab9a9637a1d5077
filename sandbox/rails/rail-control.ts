import { Router } from "express";
import { formatDecimal } from "../../services/shared/kernel/money";
import { digitsOf, minorOf } from "../amounts";
import type { Environment } from "../environment";
import { answerProblems, fieldsOf, text } from "../input";
import type { Funds } from "./funds";
import { rails } from "./rail-facts";

/** `PUT /rails/{rail}/balance` sets the platform's balance at a rail; a control for tests, so it needs no key. */
export function railControlRoutes(
  { database, movements }: Pick<Environment, "database" | "movements">,
  funds: Funds,
): Router {
  const router = Router();
  router.put("/rails/:rail/balance", async (req, res) => {
    const { rail } = req.params;
    const { value, check, problems } = fieldsOf(req.body);
    const currency = text(value["currency"]);
    const available = text(value["available"]);
    check(rails[rail]?.currencies.includes(currency) === true, "currency", "must be a currency of an existing rail");
    check(minorOf(available, currency) !== undefined, "available", "must be decimal text of that currency");
    if (answerProblems(res, { problems })) return;
    await database.write(() => {
      const minor = funds.set(rail, currency, available);
      const amount = formatDecimal({ digits: minor, scale: digitsOf(currency) });
      if (minor > 0n) movements.book({ provider: rail, reference: "prefunding", kind: "DEPOSIT", amount, currency });
    });
    res.json({ currency, available });
  });
  return router;
}

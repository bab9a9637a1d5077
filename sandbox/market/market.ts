import { readFileSync } from "node:fs";
import { Router } from "express";
import { plusMs } from "../../services/shared/kernel/clock";
import { currencyDigits } from "../../services/shared/kernel/money";
import type { Environment } from "../environment";
import { answerProblems, asObject, fieldsOf, type Problem, text } from "../input";

/** Sources of exchange rates; the central bank with its daily file comes besides. */
const marketSources = ["alpha", "beta", "gamma"] as const;
type MarketSource = (typeof marketSources)[number];
export const marketOperations: readonly string[] = [...marketSources, "reference"];

/** A source's distortion of its rates. */
interface Lie {
  /** Multiplies the true rates, by currency. */
  factors: Readonly<Record<string, number>>;
  missing: readonly string[];
  /** Currencies whose pair is inverted: dollars for one unit. */
  inverted: readonly string[];
  /** Age of the timestamp that the source claims. */
  staleSeconds: number;
  /** The base that the source claims for its dollar rates. */
  base: string;
}

const truth: Lie = { factors: {}, missing: [], inverted: [], staleSeconds: 0, base: "USD" };

const packagedTable = require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json");
const ofReference = ["EUR", "GBP", "JPY", "BRL", "MXN", "INR", "ZAR", "PHP", "CHF", "AUD", "CAD"];

/** Serves true market rates until a test distorts them. Distortions serve tests and live in memory. */
export function startMarket({ clock, serve }: Pick<Environment, "clock" | "serve">): Router {
  const table = JSON.parse(readFileSync(packagedTable, "utf8")) as { usd: Record<string, number> };
  const rates = Object.entries(table.usd)
    .map(([code, rate]) => [code.toUpperCase(), rate] as const)
    .filter(([code]) => currencyDigits(code) !== undefined);
  const lies = new Map<string, Lie>();

  const quoted = (source: MarketSource): object => {
    const { factors, missing, inverted, staleSeconds, base } = lies.get(source) ?? truth;
    const entries = rates
      .filter(([code]) => !missing.includes(code))
      .map(([code, rate]) => {
        const value = rate * (factors[code] ?? 1);
        return [code, decimal(inverted.includes(code) ? 1 / value : value)] as const;
      });
    const at = plusMs(clock.now(), -staleSeconds * 1_000);
    return { base, timestamp: Math.floor(at.getTime() / 1_000), rates: Object.fromEntries(entries) };
  };
  const file = (): string => {
    const { factors, staleSeconds } = lies.get("reference") ?? truth;
    const perUsd = new Map<string, number>(rates);
    const perEuro = perUsd.get("EUR") ?? 1;
    const cubes = ["USD", ...ofReference.filter((code) => code !== "EUR")].map((code) => {
      const rate = decimal(((perUsd.get(code) ?? 1) / perEuro) * (factors[code] ?? 1));
      return `<Cube currency="${code}" rate="${rate}"/>`;
    });
    const day = plusMs(clock.now(), -staleSeconds * 1_000)
      .toISOString()
      .slice(0, 10);
    return `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><Cube><Cube time="${day}">${cubes.join("")}</Cube></Cube></gesmes:Envelope>`;
  };

  const routes = Router();
  for (const source of marketSources) {
    routes.get(`/market/${source}/latest.json`, (_req, res) =>
      serve(res, { provider: "market", step: source }, async () => ({ status: 200, body: quoted(source) })),
    );
  }
  routes.get("/market/reference/eurofxref-daily.xml", (_req, res) =>
    serve(res, { provider: "market", step: "reference" }, async () => ({ status: 200, body: {}, page: file() })),
  );
  routes.use(lieRoutes(lies));
  return routes;
}

/** Rounds to six decimals, so that a rate is never written with an exponent. */
const decimal = (value: number): number => Number.parseFloat(value.toFixed(6));

function lieRoutes(lies: Map<string, Lie>): Router {
  const control = Router();
  control.put("/market/:source", (req, res) => {
    const { source } = req.params;
    const fields = fieldsOf(req.body);
    fields.check(marketOperations.includes(source), "source", `must be one of ${marketOperations.join(", ")}`);
    const lie = parseLie(fields.value, fields.problems);
    if (answerProblems(res, fields)) return;
    lies.set(source, lie);
    res.json(lie);
  });
  return control;
}

function parseLie(value: Readonly<Record<string, unknown>>, problems: Problem[]): Lie {
  const factors = Object.entries(asObject(value["factors"])).map(([code, factor]): [string, number] => {
    const isFactor = typeof factor === "number" && factor > 0 && factor < 1_000;
    if (!isFactor) problems.push({ field: `factors.${code}`, message: "must be a number above 0 and below 1000" });
    return [code, isFactor ? factor : 1];
  });
  const codes = (field: string): string[] => {
    const list = value[field] ?? [];
    const isList = Array.isArray(list) && list.every((code) => typeof code === "string");
    if (!isList) problems.push({ field, message: "must be a list of currencies" });
    return isList ? list : [];
  };
  const seconds = value["staleSeconds"] ?? 0;
  const isAge = typeof seconds === "number" && Number.isInteger(seconds) && Math.abs(seconds) <= 31_536_000;
  if (!isAge) problems.push({ field: "staleSeconds", message: "must be a whole number" });
  return {
    factors: Object.fromEntries(factors),
    missing: codes("missing"),
    inverted: codes("inverted"),
    staleSeconds: isAge ? seconds : 0,
    base: text(value["base"]) || "USD",
  };
}

import { Router } from "express";
import { answerProblems, fieldsOf, text } from "./input";
import type { Movements, StatementLine } from "./movements";
import { requireKey } from "./require-key";

const columns = [
  "sequence",
  "lineId",
  "reference",
  "movementId",
  "kind",
  "amount",
  "currency",
  "bookedAt",
  "valueDate",
] as const;
const [defaultLines, maxLines] = [100, 1_000];

interface StatementDeps {
  movements: Movements;
  /** Names of the providers that issue statements. */
  providers: readonly string[];
  /** The bearer token that callers must present. */
  key: string;
}

/** Movements at each provider: pages after a cursor, and one file a day. */
export function statementRoutes({ movements, providers, key }: StatementDeps): Router {
  const router = Router();
  router.use("/statements", requireKey(key));
  router.param("provider", (_req, res, next, provider: string) => {
    if (providers.includes(provider)) next();
    else res.status(404).json({ error: "not_found" });
  });
  router.get("/statements/:provider", (req, res) => {
    const { provider } = req.params;
    const { check, problems } = fieldsOf({});
    const [after, limit] = [text(req.query["after"]) || "0", text(req.query["limit"]) || String(defaultLines)];
    check(/^\d{1,15}$/.test(after), "after", "must be the cursor of an earlier page");
    check(/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= maxLines, "limit", "must be 1 to 1000");
    if (answerProblems(res, { problems })) return;
    const found = movements.lines(provider, Number(after), Number(limit) + 1);
    const lines = found.slice(0, Number(limit));
    const next = String(lines.at(-1)?.sequence ?? after);
    res.json({ provider, lines: lines.map(toColumns), next, hasMore: found.length > lines.length });
  });
  router.get("/statements/:provider/files/:file", (req, res) => {
    const { provider, file } = req.params;
    const date = /^(\d{4}-\d{2}-\d{2})\.csv$/.exec(file)?.[1];
    if (date === undefined) {
      answerProblems(res, { problems: [{ field: "file", message: "must be YYYY-MM-DD.csv" }] });
      return;
    }
    const rows = movements.day(provider, date).map((line) => columns.map((column) => line[column]).join(","));
    res.type("text/csv").send(`${[columns.join(","), ...rows].join("\n")}\n`);
  });
  return router;
}

const toColumns = (line: StatementLine): object => Object.fromEntries(columns.map((column) => [column, line[column]]));

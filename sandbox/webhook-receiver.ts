import express, { Router } from "express";
import type { Clock } from "../services/shared/kernel/clock";
import type { Database } from "./database";
import { text } from "./input";
import type { Serve } from "./serve";

interface WebhookReceiverDeps {
  database: Database;
  serve: Serve;
  clock: Clock;
}

export const sinkOperations = ["receive"] as const;

const schema = `
  CREATE TABLE IF NOT EXISTS sink (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, receivedAt TEXT NOT NULL, headers TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS sinkByName ON sink (name, sequence);
`;

/** A receiver of webhooks that keeps the exact bytes and headers of each request, in order and permanently. */
export function webhookReceiverRoutes({ database, serve, clock }: WebhookReceiverDeps): Router {
  database.sql.exec(schema);
  const insert = database.sql.prepare("INSERT INTO sink (name, receivedAt, headers, body) VALUES (?, ?, ?, ?)");
  const select = database.sql.prepare(
    "SELECT sequence, receivedAt, headers, body FROM sink WHERE name = ? AND sequence > ? ORDER BY sequence",
  );
  const router = Router();
  const rawBody = express.raw({ type: () => true, limit: "1mb", inflate: false });

  router.post("/sink/:name", rawBody, async (req, res) => {
    const body = Buffer.isBuffer(req.body) ? req.body.toString("utf8") : "";
    const receivedAt = clock.now().toISOString();
    await serve(res, { provider: "sink", step: "receive", reference: req.params.name }, async () => {
      const headers = JSON.stringify(req.headers);
      const { lastInsertRowid } = await database.write(() => insert.run(req.params.name, receivedAt, headers, body));
      return { status: 200, body: { sequence: lastInsertRowid } };
    });
  });
  router.get("/sink/:name", (req, res) => {
    const after = /^\d{1,15}$/.exec(text(req.query["after"]))?.[0] ?? "0";
    const items = select.all(req.params.name, BigInt(after)).map((row) => ({
      ...row,
      headers: JSON.parse(text(row["headers"])) as Record<string, string>,
    }));
    res.json({ items });
  });
  return router;
}

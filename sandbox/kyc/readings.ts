import { createHash } from "node:crypto";
import { type Request, Router } from "express";
import { type Answer, notFound, referenceConflict } from "../answer";
import type { Environment } from "../environment";
import { asObject, text } from "../input";
import { openRecordStore } from "../record-store";
import { openErasures } from "./erasures";

export const readingOperations = ["submit", "query", "erase", "report", "callback"] as const;

/** A document submitted for reading. */
export interface Reading {
  reference: string;
  documentType: string;
  sha256: string;
  size: number;
  status: "READING" | "IN_REVIEW" | "VERIFIED" | "REJECTED" | "ERRORED";
  /** Increases with every change, from 1. */
  revision: number;
  reasonCode: string | null;
  occurredAt: string;
}

type Outcome = Pick<Reading, "status" | "reasonCode">;

/** Immediate outcomes by the ending of a document's number; any other becomes VERIFIED a moment later. */
export const readingEndings: Readonly<Record<string, Outcome>> = {
  "-verify": { status: "VERIFIED", reasonCode: null },
  "-reject": { status: "REJECTED", reasonCode: "DOCUMENT_NOT_GENUINE" },
  "-review": { status: "IN_REVIEW", reasonCode: null },
  "-error": { status: "ERRORED", reasonCode: "READER_STOPPED" },
};

const readAfterMs = 300;

/** Reads documents: receives a file as a stream, keeps only its hash, and returns an outcome. */
export function startReadings({ database, clock, callbacks, jobs, serve }: Environment): {
  routes: Router;
  list(): Reading[];
} {
  const records = openRecordStore<Reading>(database, "readings");
  const erasures = openErasures({ database, clock }, "erasedReadings");
  jobs.on("document-reading", (reference) => {
    const found = records.find(reference);
    if (found?.status !== "READING") return;
    const occurredAt = clock.now().toISOString();
    const next: Reading = { ...found, status: "VERIFIED", revision: found.revision + 1, occurredAt };
    records.save(reference, next);
    callbacks.report("documents", render(next));
  });
  const take = (reference: string, said: Readonly<Record<string, unknown>>, sha256: string, size: number): Answer => {
    if (erasures.has(reference)) return referenceConflict;
    if (text(said["sha256"]) !== sha256) return { status: 400, body: { error: "content_differs" } };
    const found = records.find(reference);
    if (found !== undefined) return found.sha256 === sha256 ? { status: 200, body: render(found) } : referenceConflict;
    const number = text(said["number"]);
    const ending = Object.entries(readingEndings).find(([end]) => number.endsWith(end))?.[1];
    const outcome: Outcome = ending ?? { status: "READING", reasonCode: null };
    const occurredAt = clock.now().toISOString();
    const documentType = text(said["documentType"]);
    const reading: Reading = { reference, documentType, sha256, size, ...outcome, revision: 1, occurredAt };
    records.save(reference, reading);
    if (ending === undefined) jobs.add("document-reading", reference, readAfterMs);
    return { status: 201, body: render(reading) };
  };
  const routes = Router();
  routes.put("/kyc/documents/:reference", async (req, res) => {
    const { sha256, size } = await measure(req);
    const said = factsOf(text(req.headers["x-document"]));
    const { reference } = req.params;
    await serve(res, { provider: "documents", step: "submit", reference }, () =>
      database.write(() => take(reference, said, sha256, size)),
    );
  });
  routes.get("/kyc/documents/:reference", async (req, res) => {
    const { reference } = req.params;
    await serve(res, { provider: "documents", step: "query", reference }, async () => {
      const found = records.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found) };
    });
  });
  routes.post("/kyc/documents/:reference/erasure", async (req, res) => {
    const { reference } = req.params;
    const erase = (): Answer => {
      records.remove(reference);
      return { status: 200, body: erasures.note(reference) };
    };
    await serve(res, { provider: "documents", step: "erase", reference }, () => database.write(erase));
  });
  return { routes, list: () => records.list() };
}

async function measure(req: Request): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest("hex"), size };
}

function factsOf(header: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(Buffer.from(header, "base64url").toString()));
  } catch {
    return {};
  }
}

const render = ({ reference, status, revision, reasonCode, occurredAt }: Reading) => ({
  reference,
  status,
  revision,
  occurredAt,
  ...(reasonCode === null ? {} : { reasonCode }),
});

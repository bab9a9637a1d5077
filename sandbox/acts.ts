import { Router } from "express";
import type { Ids } from "../services/shared/kernel/ids";
import { notFound } from "./answer";
import type { Database } from "./database";
import type { ActOrder } from "./fault-rule";
import { answerProblems, fieldsOf, text } from "./input";
import { openRecordStore } from "./record-store";
import type { ScheduledJobs } from "./scheduled-jobs";
import { referenceRule } from "./steps";

/** Performs a provider's spontaneous act on one of its orders; false for an unknown order or an impossible act. */
export type Act = (reference: string, order: Omit<ActOrder, "act" | "afterSeconds">) => boolean;

/** Spontaneous acts of providers, on command: chargebacks, returns, changed decisions. */
export interface Acts {
  /** Handlers run inside a `Database.write`. */
  on(provider: string, acts: Readonly<Record<string, Act>>): void;
  /** Called inside `Database.write`: acts now, or schedules the act. */
  order(provider: string, reference: string, order: ActOrder): boolean;
  /** The acts of each provider, by its name. */
  names(): Readonly<Record<string, readonly string[]>>;
  routes: Router;
}

interface LaterAct extends ActOrder {
  provider: string;
  reference: string;
}

interface ActDeps {
  database: Database;
  jobs: ScheduledJobs;
  ids: Ids;
}

const longestSeconds = 10 * 366 * 86_400;

export function openActs({ database, jobs, ids }: ActDeps): Acts {
  const later = openRecordStore<LaterAct>(database, "laterActs");
  const handlers = new Map<string, Readonly<Record<string, Act>>>();
  const names = () => Object.fromEntries([...handlers].map(([provider, acts]) => [provider, Object.keys(acts)]));
  const perform = (provider: string, reference: string, { act, ...order }: ActOrder): boolean =>
    handlers.get(provider)?.[act]?.(reference, order) ?? false;
  const order: Acts["order"] = (provider, reference, asked) => {
    const { afterSeconds = 0 } = asked;
    if (afterSeconds === 0) return perform(provider, reference, asked);
    const id = ids.uuid();
    later.save(id, { ...asked, provider, reference });
    jobs.add("act", id, afterSeconds * 1_000);
    return true;
  };
  jobs.on("act", (id) => {
    const found = later.find(id);
    later.remove(id);
    if (found !== undefined) perform(found.provider, found.reference, found);
  });
  return {
    on: (provider, acts) => handlers.set(provider, acts),
    order,
    names,
    routes: routes({ database, names, order }),
  };
}

function routes({ database, names, order }: Pick<Acts, "names" | "order"> & { database: Database }): Router {
  const router = Router();
  router.post("/acts", async (req, res) => {
    const fields = fieldsOf(req.body);
    const { value, field, check } = fields;
    const provider = text(value["provider"]);
    const known = names();
    check(known[provider] !== undefined, "provider", `must be one of ${Object.keys(known).join(", ")}`);
    const allowed = known[provider] ?? [];
    check(allowed.includes(text(value["act"])), "act", `must be one of ${allowed.join(", ")}`);
    const reference = field("reference", referenceRule, "must be 1 to 255 of A-Z a-z 0-9 . _ : -");
    const asked = parseAct(fields);
    if (answerProblems(res, fields)) return;
    const isDone = await database.write(() => order(provider, reference, asked));
    if (isDone) res.status(201).json({ provider, reference, ...asked });
    else res.status(notFound.status).json(notFound.body);
  });
  return router;
}

/** Reads an act. */
function parseAct({ value, check }: ReturnType<typeof fieldsOf>): ActOrder {
  const { amount, afterSeconds = 0, isSilent = false } = value;
  check(amount === undefined || /^\d{1,16}(\.\d{1,4})?$/.test(text(amount)), "amount", "must be decimal text");
  const seconds = typeof afterSeconds === "number" && afterSeconds >= 0 ? afterSeconds : Number.NaN;
  check(seconds <= longestSeconds, "afterSeconds", `must be a number from 0 to ${longestSeconds}`);
  check(typeof isSilent === "boolean", "isSilent", "must be true or false");
  return {
    act: text(value["act"]),
    ...(amount === undefined ? {} : { amount: text(amount) }),
    ...(seconds > 0 ? { afterSeconds: seconds } : {}),
    ...(isSilent === true ? { isSilent } : {}),
  };
}

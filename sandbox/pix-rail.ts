import { createHash, timingSafeEqual } from "node:crypto";
import { type RequestHandler, Router } from "express";
import { errorFields, type Logger } from "../services/shared/logger";
import type { Answer } from "./answer";
import type { Book } from "./book";
import type { CallbackSender } from "./callbacks";
import { answerUnderFault, type Faults } from "./faults";
import { asObject, type Problem, text } from "./input";
import type { PixInstructions, PixOrder } from "./pix-instructions";
import type { Refusal } from "./values";

interface PixRailDeps {
  instructions: PixInstructions;
  book: Book;
  callbacks: CallbackSender;
  faults: Faults;
  logger: Logger;
  railKey: string;
  /** From release to PAID. */
  settleAfterMs: number;
}

interface PixRail {
  router: Router;
  /** Settles nothing more; what is due is settled after the next start. */
  stop(): void;
}

const forbidden: Refusal = { reasonCode: "AG01", reason: "transaction forbidden" };

/** Starts the PIX rail, and settles what was released before this process started. */
export function startPixRail(deps: PixRailDeps): PixRail {
  const { instructions } = deps;
  const settlement = startSettlement(deps);
  const router = Router();
  router.use("/rails", requireKey(deps.railKey));

  router.post("/rails/pix/instructions", async (req, res) => {
    const problems: Problem[] = [];
    const order = parseOrder(req.body, problems);
    if (problems.length > 0) {
      res.status(400).json({ error: "invalid_request", fields: problems });
      return;
    }
    // Here alone `refuse` is the rail's own decision, which it books and repeats.
    const { refuse, ...fault } = deps.faults.take("pix", "prepare");
    await answerUnderFault(res, { ...fault, refuse: false }, () =>
      instructions.prepare(order, refuse ? forbidden : undefined),
    );
  });
  router.post("/rails/pix/instructions/:reference/release", async (req, res) => {
    await answerUnderFault(res, deps.faults.take("pix", "release"), async () => {
      const answer = await instructions.release(req.params.reference);
      if (answer.status === 202) settlement.settleLater(req.params.reference);
      return answer;
    });
  });
  router.get("/rails/pix/instructions/:reference", async (req, res) => {
    const query = async (): Promise<Answer> => instructions.query(req.params.reference);
    await answerUnderFault(res, deps.faults.take("pix", "query"), query);
  });
  router.post("/rails/pix/instructions/:reference/cancel", async (req, res) => {
    const answer = await instructions.cancel(req.params.reference);
    res.status(answer.status).json(answer.body);
  });
  return { router, stop: settlement.stop };
}

/** Pays what was released, a little later, as a rail does. */
function startSettlement({ instructions, book, callbacks, logger, settleAfterMs }: PixRailDeps): {
  settleLater(reference: string): void;
  stop(): void;
} {
  const timers = new Map<string, NodeJS.Timeout>();
  const settle = async (reference: string): Promise<void> => {
    const callback = await instructions.settle(reference);
    if (callback !== undefined) callbacks.send(callback);
  };
  const settleLater = (reference: string): void => {
    if (timers.has(reference)) return;
    const timer = setTimeout(() => {
      timers.delete(reference);
      settle(reference).catch((error: unknown) => logger.error(errorFields(error), "not settled until the next start"));
    }, settleAfterMs);
    timers.set(reference, timer);
  };
  for (const { reference } of book.withStatus("pix", "RELEASED")) settleLater(reference);
  return {
    settleLater,
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

const digest = (value: string): Buffer => createHash("sha256").update(value).digest();

function requireKey(railKey: string): RequestHandler {
  const expected = digest(`Bearer ${railKey}`);
  return (req, res, next) => {
    if (timingSafeEqual(digest(req.headers.authorization ?? ""), expected)) next();
    else res.status(401).json({ error: "unauthorized" });
  };
}

function parseOrder(body: unknown, problems: Problem[]): PixOrder {
  const fields = asObject(body);
  const field = (name: string, rule: RegExp, message: string): string => {
    const value = text(fields[name]);
    if (!rule.test(value)) problems.push({ field: name, message });
    return value;
  };
  const optionalField = (name: string): string => field(name, /^.{0,1000}$/su, "must be at most 1000 characters");
  return {
    reference: field("reference", /^[A-Za-z0-9._:-]{1,255}$/, "must be 1 to 255 of A-Z a-z 0-9 . _ : -"),
    amount: field(
      "amount",
      /^(?=.*[1-9])\d{1,13}(\.\d{1,2})?$/,
      "must be positive decimal text with at most 2 decimals",
    ),
    currency: field("currency", /^BRL$/, "must be BRL"),
    key: field("key", /^.{1,255}$/su, "must be 1 to 255 characters"),
    keyType: field("keyType", /^\w{1,32}$/, "must be a word"),
    recipientName: optionalField("recipientName"),
    recipientDocument: optionalField("recipientDocument"),
    narrative: optionalField("narrative"),
  };
}

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type QuoteDesk, randomPayments } from "../../support/random-payments";
import { type PaymentRpc, type PaymentWorld, startPaymentWorld } from "./payment-world";
import { codeOf, preflightOf, storedPayout } from "./preflight-answers";

/** `make test-long` asks about 10,000 bodies, by a new seed each time; `RANDOM_SEED` repeats one. */
const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
const bodies = factor === 1 ? 500 : 1_000 * factor;
const seed = fc.readConfigureGlobal().seed ?? Date.now() % 2 ** 31;

/** Bodies that are asked about at once. Each lane is one caller, so that nothing uses up its limits between the two answers. */
const lanes = 8;
/** An agent uses up its limit in about as many payments. */
const bodiesOfAnAgent = 40;
const agentLimits = { currency: "USD", DAY: 50_000 };

/** What has to be among the refusals, since stored state alone decides it. */
const reasons = ["FUNDS_TOO_LOW", "LIMIT_EXCEEDED", "QUOTE_UNUSABLE", "QUOTE_MISMATCH"];

interface Tally {
  accepted: number;
  malformed: number;
  /** Refusals of what the fields cannot show, by reason. */
  refused: Record<string, number>;
}

describe("the preflight and the acceptance", () => {
  let world: PaymentWorld;

  beforeAll(async () => {
    world = await startPaymentWorld({ PAYMENT_TERMS: JSON.stringify({ "*": { agentLimits } }) });
  }, 120_000);
  afterAll(() => world.stop());

  it(
    `agree about ${bodies} random bodies of all corridors: what is promised is kept, to the minor unit`,
    async () => {
      const tally: Tally = { accepted: 0, malformed: 0, refused: {} };
      const queue = fc.sample(randomPayments(), { numRuns: bodies, seed });
      const differences: unknown[] = [];
      const work = async (): Promise<void> => {
        const caller = newCaller(world);
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          const difference = await differenceFor(world, caller, await next(caller), tally);
          if (difference !== undefined) differences.push(difference);
        }
      };
      await Promise.all(Array.from({ length: lanes }, work));

      process.stdout.write(`RANDOM_SEED=${seed}: ${JSON.stringify(tally)}\n`);
      expect({ seed, differences: differences.slice(0, 3) }).toEqual({ seed, differences: [] });
      expect(tally.accepted).toBeGreaterThan(bodies / 20);
      expect(tally.malformed).toBeGreaterThan(bodies / 10);
      expect(Object.keys(tally.refused)).toEqual(expect.arrayContaining(reasons));
    },
    900_000 * factor,
  );
});

/** One after another sends as the tenant itself and as an agent of its own. */
interface Caller extends QuoteDesk {
  /** The service as the next body reaches it. */
  next(): PaymentRpc;
  /** Remembers the quote of an accepted payment. */
  use(quoteId: unknown): void;
}

function newCaller({ replicas: [replica], quote }: PaymentWorld): Caller {
  let asked = 0;
  let agentId = randomUUID();
  let used: string | undefined;
  return {
    quote,
    usedQuote: () => used,
    use(quoteId) {
      if (typeof quoteId === "string") used = quoteId;
    },
    next() {
      asked += 1;
      if (asked % bodiesOfAnAgent === 0) agentId = randomUUID();
      return asked % 2 === 0 ? replica : throughDoorOf(replica, agentId);
    },
  };
}

/** The same service, reached by the door of an agent. */
const throughDoorOf = (replica: PaymentRpc, agentId: string): PaymentRpc => ({
  ...replica,
  validatePayment: (request) => replica.validatePayment({ ...request, agentId }),
  acceptPayment: (request) => replica.acceptPayment({ ...request, agentId }),
});

/** Asks the preflight about a body, then sends it; answers how the two differ. */
async function differenceFor(world: PaymentWorld, caller: Caller, body: Record<string, unknown>, tally: Tally) {
  const service = caller.next();
  const promised = await preflightOf(service, body);
  const answer = await world.accept(service, body);
  const isAccepted = answer.text !== undefined;
  count(tally, isAccepted, answer.reason);
  if (isAccepted) caller.use(body["fxId"]);
  const paid = isAccepted ? await storedPayout(world, body["externalPaymentId"]) : undefined;
  const codes = [...new Set(promised.codes)];
  const said = { codes, fields: promised.fields, price: promised.price?.recipientAmount ?? null };
  const kept = {
    codes: isAccepted ? [] : codes,
    // A refusal for another reason names the field in its own way.
    fields: answer.reason === "INVALID_ARGUMENT" ? answer.fields : promised.fields,
    price: paid ?? null,
  };
  const isSameReason = isAccepted || codes.includes(codeOf(answer.reason));
  return isDeepStrictEqual(said, kept) && isSameReason ? undefined : { body, promised, answer };
}

function count(tally: Tally, isAccepted: boolean, reason = ""): void {
  if (isAccepted) tally.accepted += 1;
  else if (reason === "INVALID_ARGUMENT") tally.malformed += 1;
  else tally.refused[reason] = (tally.refused[reason] ?? 0) + 1;
}

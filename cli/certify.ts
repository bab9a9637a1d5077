import { request } from "node:http";
import { request as requestTls } from "node:https";
import { type Answer, answerMs, post, type Signer } from "./sign.ts";

/** A hard case, and whether an endpoint handled it. */
export interface Verdict {
  readonly case: string;
  readonly passed: boolean;
  readonly found: string;
}

/** An endpoint's state of a transaction, as the client's own address reports it. */
interface Seen {
  readonly events?: number;
  readonly status?: string;
}

export interface Certifying {
  readonly url: string;
  readonly signer: Signer;
  /** An address of the client that answers `?id=` with its state of a transaction. */
  readonly seenUrl: string | undefined;
}

interface Event {
  readonly eventId: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly body: string;
}

const burst = 20;
const oldSeconds = 3_600;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Sends an endpoint every hard case, one after another, and checks its answers. */
export async function* certify(certifying: Certifying): AsyncGenerator<Verdict> {
  for (const [name, run] of cases) {
    const found = await run(certifying).catch((error: unknown) => String(error));
    yield { case: name, passed: found === undefined, found: found ?? "as it should be" };
  }
}

/** Returns what is wrong; nothing if all is well. */
type Case = (certifying: Certifying) => Promise<string | undefined>;

const cases: readonly (readonly [name: string, run: Case])[] = [
  ["takes an event", async (to) => refusalOf(await send(to, eventOf("Created", 1)))],
  [
    "takes the same event twice, and does it once",
    async (to) => {
      const id = crypto.randomUUID();
      const event = eventOf("Created", 1, id);
      const wrong = refusalOf(await send(to, event)) ?? refusalOf(await send(to, { ...event, attempt: 2 }));
      return wrong ?? seenAs(to, id, { events: 1 });
    },
  ],
  [
    "takes events out of order, and keeps the newer state",
    async (to) => {
      const id = crypto.randomUUID();
      const newer = refusalOf(await send(to, eventOf("PayoutAccepted", 3, id)));
      return (
        newer ??
        refusalOf(await send(to, eventOf("ProcessingPayout", 2, id))) ??
        seenAs(to, id, { status: "PayoutAccepted" })
      );
    },
  ],
  [
    "takes a return that comes long after the end",
    async (to) => {
      const id = crypto.randomUUID();
      const ended = refusalOf(await send(to, eventOf("Completed", 7, id)));
      return ended ?? refusalOf(await send(to, eventOf("Refunded", 8, id))) ?? seenAs(to, id, { status: "Refunded" });
    },
  ],
  [
    "takes an event of a kind that it does not know",
    async (to) =>
      refusalOf(await send(to, { ...eventOf("Created", 1), body: JSON.stringify({ event: "SomethingNew" }) })),
  ],
  ["refuses a wrong signature", (to) => refused(to, (headers) => broken(headers))],
  ["refuses a delivery without a signature", (to) => refused(to, () => ({ "content-type": "application/json" }))],
  [
    "refuses a body that was changed on its way",
    async (to) => {
      const event = eventOf("Created", 1);
      const body = event.body.replace("Created", "Completed");
      return acceptanceOf(await post(to.url, to.signer.headers(event, nowSeconds()), body));
    },
  ],
  [
    "refuses an old delivery that is played again",
    async (to) => {
      const event = eventOf("Created", 1);
      return acceptanceOf(await post(to.url, to.signer.headers(event, nowSeconds() - oldSeconds), event.body));
    },
  ],
  [
    `answers ${burst} at once, each within ${answerMs / 1_000} seconds`,
    async (to) => {
      const answers = await Promise.all(Array.from({ length: burst }, () => send(to, eventOf("Created", 1))));
      return answers.map(refusalOf).find((wrong) => wrong !== undefined);
    },
  ],
  [
    "waits for a body that comes slowly",
    async (to) => {
      const event = eventOf("Created", 1);
      return refusalOf(await sendSlowly(to.url, to.signer.headers(event, nowSeconds()), event.body));
    },
  ],
];

/** Returns a step of a payment that does not exist. */
function eventOf(newStatus: string, sequence: number, id: string = crypto.randomUUID()): Event {
  const body = {
    event: "TransactionStatusChanged",
    transactionId: crypto.randomUUID(),
    externalTransactionId: id,
    tenantId: "certify",
    oldStatus: sequence === 1 ? null : "Created",
    newStatus,
    newStatusMessages: [],
  };
  return { eventId: crypto.randomUUID(), sequence, attempt: 1, body: JSON.stringify(body) };
}

const send = ({ url, signer }: Certifying, event: Event): Promise<Answer> =>
  post(url, signer.headers(event, nowSeconds()), event.body);

const isTaken = ({ status = 0 }: Answer): boolean => status >= 200 && status < 300;

/** Returns what is wrong with an answer that should be 2xx. */
const refusalOf = (answer: Answer): string | undefined =>
  isTaken(answer) ? undefined : `answered ${answer.status ?? answer.text} and not 2xx`;

/** Returns what is wrong with an answer that should be a refusal: the delivery must not be retried, so not a 5xx either. */
function acceptanceOf({ status, text }: Answer): string | undefined {
  return status !== undefined && status >= 400 && status < 500 ? undefined : `answered ${status ?? text} and not 4xx`;
}

async function refused(
  to: Certifying,
  change: (headers: Record<string, string>) => Record<string, string>,
): Promise<string | undefined> {
  const event = eventOf("Created", 1);
  return acceptanceOf(await post(to.url, change(to.signer.headers(event, nowSeconds())), event.body));
}

/** Returns every form of the signature with a different last character. */
function broken(headers: Record<string, string>): Record<string, string> {
  const own = headers["x-service-signature"] ?? "";
  const other = `${own.slice(0, -1)}${own.endsWith("0") ? "1" : "0"}`;
  const standard = `v1,${Buffer.alloc(32, 1).toString("base64")} v1a,${Buffer.alloc(64, 1).toString("base64")}`;
  return { ...headers, "x-service-signature": other, "webhook-signature": standard };
}

/** Compares the client's state of a transaction with the expected one; without such an address it checks the answers alone. */
async function seenAs({ seenUrl }: Certifying, id: string, wanted: Seen): Promise<string | undefined> {
  if (seenUrl === undefined) return undefined;
  const response = await fetch(`${seenUrl}?id=${encodeURIComponent(id)}`, { signal: AbortSignal.timeout(answerMs) });
  const seen = (await response.json()) as Seen;
  const wrong = Object.entries(wanted).find(([name, value]) => seen[name as keyof Seen] !== value);
  return wrong === undefined ? undefined : `${wrong[0]} is ${String(seen[wrong[0] as keyof Seen])} and not ${wrong[1]}`;
}

const pauseMs = 300;

/** Sends a body in three parts with pauses between them. */
function sendSlowly(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const startedAt = performance.now();
  const third = Math.ceil(body.length / 3);
  return new Promise((resolve) => {
    const end = (status: number | undefined, text: string): void =>
      resolve({ status, text, ms: Math.round(performance.now() - startedAt) });
    const options = { method: "POST", headers, signal: AbortSignal.timeout(answerMs) };
    const sent = (url.startsWith("https:") ? requestTls : request)(url, options, (answer) => {
      answer.resume();
      answer.on("end", () => end(answer.statusCode, ""));
    });
    sent.on("error", (error) => end(undefined, error.message));
    for (const [part, at] of [0, third, 2 * third].entries()) {
      setTimeout(() => sent.write(body.slice(at, at + third)), part * pauseMs);
    }
    setTimeout(() => sent.end(), 3 * pauseMs);
  });
}

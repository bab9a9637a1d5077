import { mkdtempSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Sandbox, startSandbox } from "../../../sandbox/app";
import type { SandboxConfig } from "../../../sandbox/config";
import { makeLogger } from "../../../services/shared/process/logger";

export const railKey = "rail-key-of-a-test";
export const callbackSecret = "callback-secret-of-a-test-0123456789";

export const freshDir = (): string => mkdtempSync(join(tmpdir(), "corridor-sandbox-"));

/** The platform's end of the callbacks: answers what `answers` says, 200 after that, and keeps what came. */
export interface Platform {
  /** What a provider's name is appended to. */
  root: string;
  received: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[];
  answers: number[];
  stop(): Promise<void>;
}

export async function startPlatform(answers: number[] = []): Promise<Platform> {
  const received: Platform["received"] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.once("end", () => {
      received.push({ path: req.url, headers: req.headers, body: Buffer.concat(chunks).toString("utf8") });
      res.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    root: `http://127.0.0.1:${port}/provider-callbacks`,
    received,
    answers,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const startWorld = (overrides: Partial<SandboxConfig> = {}): Promise<Sandbox> =>
  startSandbox(
    {
      host: "127.0.0.1",
      port: 0,
      tls: undefined,
      dataDir: freshDir(),
      railKey,
      callbackUrl: "http://127.0.0.1:9/nobody",
      callbackSecret,
      settleAfterMs: 20,
      finalityWindowMs: 2_000,
      ...overrides,
    },
    makeLogger("sandbox", "error"),
  );

export const order = (reference: string, changes: object = {}): object => ({
  reference,
  amount: "543.21",
  currency: "BRL",
  countryCode: "BRA",
  method: "PIX",
  account: { key: "maria@example.com", keyType: "EMAIL" },
  debtor: {
    firstName: "Ada",
    lastName: "Lovelace",
    address: { countryCode: "GBR", city: "London", line1: "12 Hill Road" },
  },
  creditor: {
    firstName: "Maria",
    lastName: "Silva",
    address: { countryCode: "BRA", city: "Rio", line1: "Rua A 1" },
    documents: [{ number: "12345678909", type: "CPF" }],
  },
  purpose: "GIFT",
  remittance: "rent",
  ...changes,
});

/** The fixed card token that repeats one digit. */
export const cardToken = (digit: string): string =>
  "x-y-4z-8z-u"
    .replace("x", digit.repeat(8))
    .replace("y", digit.repeat(4))
    .replaceAll("z", digit.repeat(3))
    .replace("u", digit.repeat(12));

export interface Reply {
  status: number;
  body: Record<string, unknown>;
}

export async function call(method: string, url: string, body?: unknown, key: string = railKey): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

/** Instructs a rail of a sandbox to release, and returns whether it answered; gives up a moment after the release has come. */
export async function isReleaseAnswered(url: string, reference: string): Promise<boolean> {
  const patience = new AbortController();
  const answer = fetch(`${url}/rails/pix/instructions/${reference}/release`, {
    method: "POST",
    headers: { authorization: `Bearer ${railKey}` },
    signal: patience.signal,
  }).then(
    () => true,
    () => false,
  );
  await eventually(async () => ((await railOf(url).entry(reference))?.releaseCalls ?? 0) > 0);
  await delay(300);
  patience.abort();
  return answer;
}

/** The calls of one rail of a sandbox. */
export const railOf = (url: string, rail = "pix") => {
  const instructions = `${url}/rails/${rail}/instructions`;
  return {
    prepare: (body: object) => call("POST", instructions, body),
    release: (reference: string, body?: object) => call("POST", `${instructions}/${reference}/release`, body),
    query: (reference: string) => call("GET", `${instructions}/${reference}`),
    cancel: (reference: string) => call("POST", `${instructions}/${reference}/cancel`),
    facts: () => call("GET", `${url}/rails/${rail}`),
    async available(currency: string): Promise<string | undefined> {
      const { body } = await call("GET", `${url}/rails/${rail}/balance`);
      const balances = body["balances"] as { currency: string; available: string }[];
      return balances.find((balance) => balance.currency === currency)?.available;
    },
    async entry(reference: string): Promise<BookEntry | undefined> {
      const { body } = await call("GET", `${url}/book?reference=${reference}`);
      return (body["instructions"] as BookEntry[]).find((entry) => entry.rail === rail);
    },
  };
};

export interface BookEntry {
  rail: string;
  status: string;
  amount: string | null;
  prepareCalls: number;
  releaseCalls: number;
  releases: number;
  callbacks: { eventId: string; status: string; attempts: number; deliveredAt: string | null }[];
}

/** Waits, at most a minute, until `check` holds. */
export async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 6_000; turn += 1) {
    if (await check()) return;
    await delay(10);
  }
  throw new Error("it did not come true within a minute");
}

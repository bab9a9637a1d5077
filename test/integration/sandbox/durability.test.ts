import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { call, callbackSecret, eventually, freshDir, order, railKey, railOf, startPlatform } from "./outside-world";

const main = join(__dirname, "../../../dist/sandbox/main.js");

interface Spawned {
  url: string;
  child: ChildProcess;
}

/** Starts the compiled process as the supervisor does, and reads from its log where it listens. */
async function spawnWorld(dataDir: string, callbackUrl: string): Promise<Spawned> {
  if (!existsSync(main)) throw new Error("build first: this test runs the compiled sandbox");
  const child = spawn(process.execPath, [main], {
    env: {
      SANDBOX_PORT: "0",
      SANDBOX_DATA_DIR: dataDir,
      SANDBOX_RAIL_KEY: railKey,
      SANDBOX_CALLBACK_URL: callbackUrl,
      SANDBOX_CALLBACK_SECRET: callbackSecret,
      SANDBOX_SETTLE_AFTER_MS: "60000",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    if (url !== undefined) return { url, child };
  }
  throw new Error("the sandbox did not start");
}

const ended = (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> =>
  new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill(signal);
  });

describe("a killed sandbox", () => {
  it("loses nothing that it answered, pays what is due and calls back", async () => {
    const dataDir = freshDir();
    const platform = await startPlatform();
    const references = Array.from({ length: 20 }, (_, index) => `killed-${index}`);
    const first = await spawnWorld(dataDir, platform.root);
    await Promise.all(references.map((reference) => railOf(first.url).prepare(order(reference))));
    const released = await Promise.all(references.map((reference) => railOf(first.url).release(reference)));
    await call("POST", `${first.url}/sink/mine`, { kept: true });
    await ended(first.child, "SIGKILL");

    const second = await spawnWorld(dataDir, platform.root);
    await call("POST", `${second.url}/clock`, { advance: 60 });
    await eventually(() => new Set(platform.received.map(({ body }) => body)).size === references.length);
    const entries = await Promise.all(references.map((reference) => railOf(second.url).entry(reference)));
    const { body: sink } = await call("GET", `${second.url}/sink/mine`);
    const exitCode = await ended(second.child, "SIGTERM");
    await platform.stop();

    expect(new Set(released.map(({ status }) => status))).toEqual(new Set([202]));
    expect(entries.map((entry) => [entry?.status, entry?.releases])).toEqual(references.map(() => ["PAID", 1]));
    expect(sink["items"]).toMatchObject([{ body: '{"kept":true}' }]);
    expect(exitCode).toBe(0);
  });

  it("knows every card, debit, link and review again, and finishes what was open", async () => {
    const dataDir = freshDir();
    const platform = await startPlatform();
    const first = await spawnWorld(dataDir, platform.root);
    const { body: card } = await call("POST", `${first.url}/card-tokens`, {
      number: "4111111111111111",
      expMonth: 12,
      expYear: 2999,
    });
    const authorization = {
      reference: "kept",
      cardToken: card["cardTokenId"],
      amount: "10",
      currency: "USD",
      capture: false,
      ipAddress: "203.0.113.7",
    };
    const exchange = (url: string, token: string) =>
      call("POST", `${url}/plaid/item/public_token/exchange`, { public_token: token, client_id: "c", secret: railKey });
    const account = { routingNumber: "021000021", accountNumber: "1234567890", accountType: "checking" };
    const review = { reference: "kept", amount: "1", currency: "USD", narrative: "SIM:review-approve" };
    const authorized = await call("POST", `${first.url}/acquirer/authorizations`, authorization);
    await call("POST", `${first.url}/acquirer/authorizations/kept/capture`, { reference: "s", amount: "4" });
    const { body: item } = await exchange(first.url, "public-sandbox-ok");
    await Promise.all([
      call("POST", `${first.url}/screening/payments`, review),
      call("POST", `${first.url}/debits`, { reference: "kept", amount: "5", currency: "USD", account }),
    ]);
    await ended(first.child, "SIGKILL");

    const second = await spawnWorld(dataDir, platform.root);
    const paths = () => new Set(platform.received.map(({ path }) => path));
    await eventually(() => paths().size === 2);
    const again = await call("POST", `${second.url}/acquirer/authorizations`, authorization);
    const auth = await call("POST", `${second.url}/plaid/auth/get`, {
      access_token: item["access_token"],
      client_id: "c",
      secret: railKey,
    });
    const debit = await call("GET", `${second.url}/debits/kept`);
    await ended(second.child, "SIGTERM");
    await platform.stop();

    expect(authorized.body["status"]).toBe("AUTHORIZED");
    expect(again).toMatchObject({
      status: 200,
      body: {
        acquirerId: authorized.body["acquirerId"],
        status: "CAPTURED",
        captures: [{ reference: "s", amount: "4" }],
      },
    });
    expect(auth.status).toBe(200);
    expect(debit.body["status"]).toBe("SETTLED");
    expect(paths()).toEqual(new Set(["/provider-callbacks/debits", "/provider-callbacks/screening"]));
  });
});

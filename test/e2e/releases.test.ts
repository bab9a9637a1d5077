import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { findProgram } from "../../local/find-program";
import { chooseStore } from "../../local/local-store";
import type { Platform } from "../../local/platform";
import { transactionMoves } from "../../services/shared/kernel/transaction-states";
import {
  archiveOf,
  type ReleaseFacts,
  readFacts,
  releasePlatform,
  releases,
  unpackData,
} from "../releases/release-data";
import { runOperator } from "../support/operator-command";
import { outsideWorld } from "../support/outside-world";
import {
  connectClient,
  freshId,
  insist,
  type PlatformClient,
  pushBody,
  statesOf,
  until,
} from "../support/platform-client";
import { readStoredDocuments } from "../support/stored-documents";
import { startTestPlatform } from "../support/test-platform";

type Json = Record<string, unknown>;

const hasEmbeddedStore =
  process.env["MONGODB_URI"] === undefined && findProgram("mongod", process.env["PATH"] ?? "") === undefined;
/** The data of a release is that of an embedded store. */
const describeEmbedded = hasEmbeddedStore ? describe : describe.skip;

/** States in which nothing is left to be done. A payment may still come back after it was completed. */
const ends = new Set([
  "Completed",
  ...Object.entries(transactionMoves).flatMap(([state, moves]) => (moves.length === 0 ? [state] : [])),
]);

/** States that are left in the save that enters them, or in the next one, whatever providers do. */
const passing = new Set([
  "Created",
  "PaymentCaptured",
  "PaymentSettled",
  "PayoutReleased",
  "PayoutRejected",
  "ReviewRejected",
  "Paid",
]);

/** What a process is started with to send what a later release would. */
const later = { NODE_OPTIONS: `--require ${join(__dirname, "../support/later-release.js")}` };
const senders = ["gateway", "auth", "schema", "fx", "payment", "wallet", "identity", "webhook"];

/** Gives every record a field that this release does not know. */
async function addLaterField(dir: string): Promise<void> {
  const store = await chooseStore({ dir: join(dir, "store"), spawned: true, log: () => {} });
  const connected = await mongo.MongoClient.connect(store.uri);
  for (const { name } of (await connected.db("admin").admin().listDatabases()).databases) {
    if (!name.startsWith("corridor_")) continue;
    const db = connected.db(name);
    for (const collection of await db.listCollections().toArray()) {
      await db
        .collection(collection.name)
        .updateMany({}, { $set: { ofLaterRelease: { text: "new", numbers: [1, 2] } } });
    }
  }
  await connected.close();
  await store.stop();
}

const worlds = releases().flatMap((version) => [
  { version, words: "as it is", isLater: false },
  { version, words: "beside a later release, whose fields are in every record and message", isLater: true },
]);

describeEmbedded.each(worlds)("the data of release $version, $words", ({ version, isLater }) => {
  let dir: string;
  let platform: Platform;
  let client: PlatformClient;
  let facts: ReleaseFacts;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "corridor-release-"));
    unpackData(archiveOf(version), dir);
    facts = readFacts(dir);
    const options = releasePlatform(dir);
    if (isLater) await addLaterField(dir);
    const env: Record<string, Record<string, string>> = { ...options.env };
    for (const name of isLater ? senders : []) env[name] = { ...env[name], ...later };
    platform = await startTestPlatform({ ...options, env });
    client = connectClient(platform);
  });
  afterAll(async () => {
    await client?.close();
    // What a later release has stored is not what the schemas of this one say, which is asked of a platform that is stopped.
    for (const one of isLater ? platform.processes : []) await one.end("SIGKILL");
    await platform?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const operator = async (...words: string[]): Promise<Json> => {
    const { code, stdout, stderr } = await runOperator(words, { CORRIDOR_DIR: dir });
    if (code !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
    return JSON.parse(stdout) as Json;
  };
  const operatorCall = async (method: "GET" | "POST", path: string): Promise<Json> => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" };
    const body = method === "POST" ? { body: "{}" } : {};
    return (await (await fetch(`${operatorUrl}${path}`, { method, headers, ...body })).json()) as Json;
  };
  const ask = async (method: "GET" | "POST", path: string, body?: object) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const headers = { authorization: `Bearer ${await client.token()}`, ...json };
    return client.send(method, path, headers, body && JSON.stringify(body));
  };
  const stateOf = async (externalPaymentId: string): Promise<string> => {
    const { body } = await ask("GET", `/v2/payment/${externalPaymentId}/timeline`);
    return String((body["states"] as { to: string }[] | undefined)?.at(-1)?.to);
  };

  /** What the people do whom a payment waits for. Whatever has ended by itself meanwhile refuses it. */
  const bringOn = async (externalPaymentId: string, paymentId: string): Promise<void> => {
    switch (await stateOf(externalPaymentId)) {
      case "WaitingChallenge3ds": {
        const { body } = await client.payment(externalPaymentId);
        const { pathname } = new URL(String(body["redirectAcsUrl"]));
        return outsideWorld(platform).answerChallenge(`${platform.credentials.sandboxUrl}${pathname}`, "pass");
      }
      case "PaymentAuthorized":
        return void (await ask("POST", `/payments/${externalPaymentId}/capture`, {}));
      case "PendingReversalApproval":
        return void (await runOperator(["reversals", "approve", "demo", paymentId], { CORRIDOR_DIR: dir }));
      case "BlockedPendingReview": {
        const { reviews } = (await operator("reviews", "of", paymentId)) as { reviews: Json[] };
        const words = ["reviews", "approve", "demo", String(reviews[0]?.["reviewId"]), "looked at"];
        return void (await runOperator(words, { CORRIDOR_DIR: dir }));
      }
    }
  };

  it("has payments in every state in which one can stand still", () => {
    const stood = new Set(facts.payments.map((one) => one.stood));

    expect(facts.version).toBe(version);
    for (const state of Object.keys(transactionMoves)) {
      if (!passing.has(state)) expect([state, stood.has(state)]).toEqual([state, true]);
    }
  });

  it("is what the schemas of today say, and shows what it showed", async () => {
    const { faults, counts } = await readStoredDocuments(platform);

    const isNew = (fault: string): boolean => isLater && fault.includes("`ofLaterRelease` is not in schema");
    expect(faults.filter((fault) => !isNew(fault))).toEqual([]);
    expect(counts["payment.payments"]).toBeGreaterThanOrEqual(facts.payments.length);
    expect((await ask("GET", `/wallets/${facts.wallet.id}/balance`)).body).toEqual(facts.wallet.balance);
  });

  it("comes to an end with books that are the providers', and serves its callers", async () => {
    const open = await until(
      async () => {
        const left: string[] = [];
        for (const { name, externalPaymentId, paymentId } of facts.payments) {
          const state = await stateOf(externalPaymentId);
          if (ends.has(state)) continue;
          left.push(`${name}: ${state}`);
          await bringOn(externalPaymentId, paymentId);
        }
        return left;
      },
      ({ length }) => length === 0,
      120_000,
    );
    expect(open).toEqual([]);

    const fresh = pushBody(freshId(), await client.quote());
    const paid = await insist(() => client.pay(fresh));
    expect(paid.status).toBe(200);
    const states = await until(
      async () => statesOf(await client.sink("release"), String(fresh["externalPaymentId"])),
      (found) => found.includes("Completed"),
    );
    expect(states.at(-1)).toBe("Completed");

    const isEven = ({ breaks, statements }: Json): boolean =>
      Array.isArray(breaks) &&
      breaks.length === 0 &&
      (statements as { openItems: number }[]).every(({ openItems }) => openItems === 0);
    const reconciliation = await until(() => operatorCall("POST", "/ledger/reconciliations"), isEven);
    expect([reconciliation, isEven(reconciliation)]).toEqual([reconciliation, true]);
    const { verificationId } = await operatorCall("POST", "/ledger/verifications");
    const walk = await until(
      () => operatorCall("GET", `/ledger/verifications/${String(verificationId)}`),
      ({ finishedAt }) => finishedAt !== null,
    );
    expect(walk).toMatchObject({ finishedAt: expect.any(String), findings: [] });
    expect(await operatorCall("GET", "/audit/verify")).toMatchObject({ brokenAt: null });
    // Nothing is paid twice: one release of each instruction at most.
    const releasesOf = (await client.book()).map((one) => one.releases);
    expect(releasesOf.filter((count) => count > 1)).toEqual([]);
  });
});

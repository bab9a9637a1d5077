import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Platform, startPlatform } from "../../local/platform";
import { connectClient, freshId, insist, type PlatformClient, until } from "../support/platform-client";
import { archiveOf, factsFile, packData, type ReleaseFacts, releasePlatform } from "./release-data";
import { endedPayments, paymentsInFlight, type ReleasePayment } from "./release-payments";

const mostBytes = 5 * 1024 * 1024;
const json = { "content-type": "application/json" };

/**
 * Makes the data of the release that is checked out: `node dist/test/releases/make.js`. It ends with an error where a payment does
 * not stand where it should, so that no state is missing without anybody noticing.
 */
async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const dir = mkdtempSync(join(tmpdir(), "corridor-release-"));
  const platform = await startPlatform(releasePlatform(dir));
  const client = connectClient(platform);
  const agent = agentOf(platform);
  try {
    await client.subscribe("release");
    const wallet = await creditWallet(client);
    const payments = await payAll({ client, agent }, endedPayments, true);
    for (const { faults, payments: inFlight } of paymentsInFlight) {
      await client.fault(faults);
      payments.push(...(await payAll({ client, agent }, inFlight, false)));
    }
    const events = (await client.sink("release")).length;
    const facts: ReleaseFacts = { version, payments, wallet, events };
    writeFileSync(factsFile(dir), `${JSON.stringify(facts, null, 2)}\n`);
  } finally {
    await client.close();
    await platform.stop();
  }
  packData(dir, archiveOf(version));
  rmSync(dir, { recursive: true });
  const { size } = statSync(archiveOf(version));
  if (size > mostBytes) throw new Error(`${archiveOf(version)} has ${size} bytes, more than ${mostBytes}`);
  console.log(`${archiveOf(version)}: ${size} bytes`);
}

type Payments = ReleaseFacts["payments"];
interface Callers {
  client: PlatformClient;
  /** Headers of an agent of the same tenant. */
  agent: Record<string, string>;
}

function agentOf({ credentials }: Pick<Platform, "credentials">): Callers["agent"] {
  const [tenant] = credentials.tenants;
  const one = tenant?.agents[0];
  return { "x-api-key": tenant?.apiKey ?? "", "x-agent-id": one?.agentId ?? "", "x-agent-api-key": one?.apiKey ?? "" };
}

async function payAll(
  { client, agent }: Callers,
  wanted: readonly ReleasePayment[],
  isEnded: boolean,
): Promise<Payments> {
  const wrong: string[] = [];
  const paid = await Promise.all(
    wanted.map(async ({ name, body, command, stands, isOfAgent }) => {
      const sent = await body(client);
      const externalPaymentId = String(sent["externalPaymentId"]);
      const asAgent = () => client.send("POST", "/fx/transactions", { ...json, ...agent }, JSON.stringify(sent));
      const reply = await insist(() => (isOfAgent ? asAgent() : client.pay(sent)));
      if (reply.status !== 200) throw new Error(`${name} was not accepted: ${reply.status} ${reply.text}`);
      if (command !== undefined) {
        await reach(client, externalPaymentId, command.at);
        const { action } = command;
        const headers = { ...json, authorization: `Bearer ${await client.token()}` };
        const order = { ...command.body, ...(action === "refund" ? { externalRefundId: freshId() } : {}) };
        if (action === "cancel")
          await client.send("POST", `/fx/transactions/${String(reply.body["paymentId"])}/cancel`, agent);
        else await client.send("POST", `/payments/${externalPaymentId}/${action}`, headers, JSON.stringify(order));
      }
      const stood = await reach(client, externalPaymentId, stands);
      if (stood !== stands) wrong.push(`${name} stands in ${stood}, not in ${stands}`);
      return { name, externalPaymentId, paymentId: String(reply.body["paymentId"]), stood, isEnded };
    }),
  );
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return paid;
}

/** Waits until a payment stands somewhere; where it stands when it does not come there. */
function reach(client: PlatformClient, externalPaymentId: string, state: string): Promise<string> {
  return until(
    async () => {
      const headers = { authorization: `Bearer ${await client.token()}` };
      const { body } = await client.send("GET", `/v2/payment/${externalPaymentId}/timeline`, headers);
      return String((body["states"] as { to: string }[] | undefined)?.at(-1)?.to);
    },
    (found) => found === state,
    20_000,
  );
}

async function creditWallet(client: PlatformClient): Promise<ReleaseFacts["wallet"]> {
  const headers = { ...json, authorization: `Bearer ${await client.token()}` };
  const ask = async (method: "GET" | "POST", path: string, body?: object) => {
    const reply = await insist(() => client.send(method, path, headers, body && JSON.stringify(body)));
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const owner = { accountAsset: "USD", ownerId: "owner-1", beneficiaryId: "owner-1", type: "PERSONAL" };
  const { walletId } = await ask("POST", "/wallets", owner);
  const move = (order: object) => ask("POST", "/wallets/transaction", { walletId, externalId: freshId(), ...order });
  await move({ amount: 100.1, paymentType: "CREDIT" });
  await move({ amount: 20.05, paymentType: "DEBIT", hold: true });
  return { id: String(walletId), balance: await ask("GET", `/wallets/${String(walletId)}/balance`) };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

import { customerPayload } from "../support/corridor-payloads";
import { format, type Goal } from "./goal";
import type { HttpRequest } from "./http-connection";
import type { Load } from "./load";
import { median } from "./statistics";
import type { Subject } from "./subject";

const rounds = 3;
const count = 300;
const inFlight = 64;
const wallets = 64;

/**
 * Payouts into wallets from the request to the last webhook: quote, payment, screening, ledger, events and delivery, with
 * store and bus on the same machine.
 */
export async function measurePayouts(subject: Subject, load: Load): Promise<Goal[]> {
  const { client, port, headers, pids } = subject;
  await client.subscribe("payouts");
  const requests: HttpRequest[] = [];
  for (let made = 0; made < wallets; made += 1) requests.push(await walletPayout(subject, headers));
  const job = { kind: "http", port, pids, requests, includes: '"status":"PENDING"', count, inFlight } as const;
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { answered, secondsToIdle } = await load.run({ ...job, includesBackground: true });
    rates.push(answered / secondsToIdle);
  }
  return [
    {
      id: "P22",
      what: "wallet payouts, from the request to the last webhook",
      value: median(rates),
      unit: "/s",
      bar: { atLeast: 500 },
      isDue: true,
      seen: `${rates.map(format).join(", ")} payouts/s in ${rounds} rounds of ${count}`,
    },
  ];
}

async function walletPayout({ client }: Subject, headers: Readonly<Record<string, string>>): Promise<HttpRequest> {
  const order = { accountAsset: "KES", ownerId: "bench", beneficiaryId: "bench", type: "PERSONAL" };
  const wallet = await client.send("POST", "/wallets", { ...headers }, JSON.stringify(order));
  const walletId = String(wallet.body["walletId"]);
  const body = {
    ...customerPayload("KEN", { type: "WALLET", wallet: { walletId } }),
    externalPaymentId: "$ID",
  };
  return { method: "POST", path: "/v2/payment", headers, body: JSON.stringify(body) };
}

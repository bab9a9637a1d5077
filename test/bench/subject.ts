import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushBody } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";
import type { HttpRequest } from "./http-connection";
import type { HttpJob } from "./load";
import { environmentOf } from "./process-figures";

/** Our own processes between the caller and the store, gateway first. */
export const serverNames = ["gateway", "auth", "schema", "fx", "payment", "wallet", "identity", "webhook"] as const;
export type ServerName = (typeof serverNames)[number];

/** A running platform that is measured. */
export interface Subject {
  platform: Platform;
  client: PlatformClient;
  /** Port of the gateway. */
  port: number;
  pid(name: string): number;
  pids: readonly number[];
  /** What a process received at its start. */
  env(name: ServerName): Readonly<Record<string, string>>;
  /** The same for one more replica beside it, which takes free ports. */
  envOfAnother(name: ServerName): Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export type SubjectOptions = Parameters<typeof startTestPlatform>[0];

/** What one tenant sends here is the load of many. */
const noLimits = { RATE_LIMIT_FACTOR: "1000000" };

/** Starts a platform of its own for the bench. Peers on the same store may scan; they are measured, not tested. */
export async function startSubject(options: SubjectOptions = {}): Promise<Subject> {
  const env = { ...options.env, gateway: { ...noLimits, ...options.env?.["gateway"] } };
  return asSubject(await startTestPlatform({ refusesScans: false, ...options, env }));
}

/** A running platform with all that the measures need to know of it. */
export async function asSubject(platform: Platform): Promise<Subject> {
  const client = connectClient(platform);
  const pid = (name: string): number => platform.process(name).pid() ?? 0;
  return {
    platform,
    client,
    port: Number(new URL(platform.credentials.baseUrl).port),
    pid,
    pids: serverNames.map(pid),
    env: (name) => environmentOf(pid(name)),
    envOfAnother: (name) => withFreePorts(environmentOf(pid(name))),
    headers: { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" },
    async stop() {
      await client.close();
      const untidy = await platform.stop();
      if (untidy.length > 0) throw new Error(`did not end well: ${untidy.join(", ")}`);
    },
  };
}

/** Every port that a process listens on is one of its settings. */
const withFreePorts = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, name.endsWith("_PORT") ? "0" : value]));

/** A payment whose id, and whose quote if none is given, the load fills in. */
export async function paymentRequest({ client, headers }: Subject): Promise<HttpRequest> {
  const { conversionRate } = await client.quote();
  const body = JSON.stringify(pushBody("$ID", { fxId: "$QUOTE", conversionRate }));
  return { method: "POST", path: "/v2/payment", headers, body };
}

/** The same for services that look at no quote: any id stands for one. */
export async function floorPaymentRequest(subject: Subject): Promise<HttpRequest> {
  const { body = "", ...rest } = await paymentRequest(subject);
  return { ...rest, body: body.replace("$QUOTE", "00000000-0000-4000-8000-000000000000") };
}

const quoteOrder = { sourceCurrencyCode: "USD", destinationCurrencyCode: "BRL", paymentMethod: "BANK_ACCOUNT" };

/** Payments, each with its own id and its own quote, taken before the load begins. */
export async function paymentJob(
  subject: Subject,
  facts: Pick<HttpJob, "count" | "inFlight" | "perSecond" | "includesBackground">,
): Promise<HttpJob> {
  const { port, pids, headers } = subject;
  const quote = { method: "POST", path: "/v2/foreign-exchange", headers, body: JSON.stringify(quoteOrder) };
  const requests = [await paymentRequest(subject)];
  return { kind: "http", port, pids, quote, requests, includes: '"status":"PENDING"', ...facts };
}

/** Makes one payment to look up; returns its id. */
export async function oneMadePayment({ client }: Subject): Promise<string> {
  const id = freshId();
  const { status, text } = await client.pay(pushBody(id, await client.quote()));
  if (status !== 200) throw new Error(`no payment: ${status} ${text}`);
  return id;
}

/** The look-up of a payment over REST. */
export const lookUp = (headers: Readonly<Record<string, string>>, externalId: string): HttpRequest => ({
  method: "GET",
  path: `/v2/payment/${externalId}`,
  headers,
});

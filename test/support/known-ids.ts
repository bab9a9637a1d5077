import { randomUUID } from "node:crypto";
import type { Platform } from "../../local/platform";
import { type Json, payloadCases } from "./corridor-payloads";
import { cardPullBody, cardSource, pullPushBody } from "./payment-bodies";
import { freshId, insist, type PlatformClient, pushBody, type Reply, until } from "./platform-client";
import { sampleFile } from "./sample-files";

/** The answer of a search for an id. */
export interface Found {
  kind: string;
  id: string;
  tenant?: string;
  externalId: string | null;
  parentId: string | null;
  href?: string;
}

export interface KnownIds {
  /** Names of the ids: the id, the search's answer about it, and for the quote of a payment that about the quote itself. */
  ids: Map<string, { q: string; facts: Partial<Found>; also?: Partial<Found> }>;
  /** Numbers of documents, which are stored only as digests, each written differently than it was given. */
  numbers: Map<string, { q: string; facts: Partial<Found> }>;
}

const sink = "known-ids";
const address = { addressLine1: "Rua 1", city: "Rio", state: "RJ", postalCode: "20000-000", countryCode: "BR" };

/** Makes one of everything that a tenant can find by an id, through the gateway. */
export async function makeKnownIds(platform: Platform, client: PlatformClient): Promise<KnownIds> {
  const { apiKey = "" } = platform.credentials.tenants.find(({ tenant }) => tenant === "demo") ?? {};
  const known: KnownIds = { ids: new Map(), numbers: new Map() };
  const webhook = await subscribe(client, apiKey, platform);
  known.ids.set("webhook", { q: webhook, facts: { kind: "webhook", id: webhook } });
  const newTrace = (): string => randomUUID().replaceAll("-", "");
  const work = { platform, client, apiKey, ...known, trace: newTrace() };
  await payOut(work);
  work.trace = newTrace();
  await payOutWithReceipt(work);
  await collect(work);
  await collectAndPayOut(work);
  await moveMoney(work);
  await keepPeople(work);
  return known;
}

interface Work extends KnownIds {
  platform: Platform;
  client: PlatformClient;
  apiKey: string;
  /** Id for the next request. */
  trace: string;
}

async function subscribe(client: PlatformClient, apiKey: string, { credentials }: Platform): Promise<string> {
  const events = ["TransactionStatusChanged", "TransactionPayoutStatusChanged"];
  const body = JSON.stringify({ url: `${credentials.sinkUrl}/${sink}`, events });
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  const made = await insist(() => client.send("POST", "/organizations/demo/webhooks", headers, body));
  return textOf(requireDone("webhook", made), "id");
}

function requireDone(what: string, reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${what}: ${reply.status} ${reply.text}`);
  return reply;
}

const textOf = ({ body }: Reply, name: string): string => String(body[name]);

async function post({ client, apiKey, trace }: Work, path: string, body: object, isKeyed = false): Promise<Reply> {
  const headers = isKeyed ? { "x-api-key": apiKey } : { authorization: `Bearer ${await client.token()}` };
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const json = { ...headers, traceparent, "content-type": "application/json" };
  return requireDone(path, await insist(() => client.send("POST", path, json, JSON.stringify(body))));
}

/** Returns the parts of a payment's history that have the member. */
const toldOf = (client: PlatformClient, paymentId: string, member: string): Promise<string> =>
  until(
    async () => {
      const items = (await client.sink(sink)).filter(({ body }) => body.includes(paymentId));
      return items.map(({ body }) => new RegExp(`"${member}":"([^"]+)"`).exec(body)?.[1]).find(Boolean) ?? "";
    },
    (found) => found !== "",
  );

const paymentFacts = (id: string, externalId: string) => ({ id, externalId, href: `/v2/payment/${externalId}` });

async function payOut(work: Work): Promise<void> {
  const { client, ids, apiKey } = work;
  const externalId = freshId();
  const quote = await client.quote();
  const paymentId = textOf(await post(work, "/v2/payment", pushBody(externalId, quote)), "paymentId");
  const facts = paymentFacts(paymentId, externalId);
  ids.set("our id of a payment", { q: paymentId, facts: { kind: "payment", ...facts } });
  ids.set("the caller's id of a payment", { q: externalId, facts: { kind: "payment", ...facts } });
  const reference = await toldOf(client, paymentId, "gatewayPaymentId");
  ids.set("a rail's id", { q: reference, facts: { kind: "provider reference", ...facts } });
  const [item] = (await client.sink(sink)).filter(({ body }) => body.includes(paymentId));
  const event = item?.headers["x-service-event-id"] ?? "";
  ids.set("event", { q: event, facts: { kind: "event", id: event, parentId: paymentId } });
  const delivery = await until(
    async () => {
      const { body } = await client.send("GET", "/organizations/demo/deliveries?limit=1", { "x-api-key": apiKey });
      return (body["deliveries"] as { id: string }[])[0]?.id ?? "";
    },
    (id) => id !== "",
  );
  ids.set("delivery", { q: delivery, facts: { kind: "delivery", id: delivery } });
  ids.set("trace", { q: work.trace, facts: { kind: "trace", ...facts } });
  const { fxId } = await client.quote();
  ids.set("a quote that is not used", {
    q: fxId,
    facts: { kind: "quote", id: fxId, href: `/v2/foreign-exchange/${fxId}` },
  });
}

/** Networks of money services issue receipts. */
async function payOutWithReceipt(work: Work): Promise<void> {
  const { ids } = work;
  const { payload } = payloadCases.find(({ country, name }) => country === "KEN" && name.includes("WALLET")) ?? {};
  const recipient = Object(payload?.["recipient"]) as Json;
  const { currency } = Object(payload?.["recipientAmount"]) as Json;
  const order = { sourceCurrencyCode: "USD", destinationCurrencyCode: currency, paymentMethod: "WALLET" };
  const quote = await post(work, "/v2/foreign-exchange", order);
  const paymentMethod = { ...Object(recipient["paymentMethod"]), walletOperator: "AIRTEL_MONEY" };
  const body = {
    ...payload,
    externalPaymentId: freshId(),
    fxId: quote.body["fxId"],
    recipientAmount: { currency, total: 100 * Number(quote.body["conversionRate"]) },
    recipient: { ...recipient, paymentMethod },
  };
  const paymentId = textOf(await post(work, "/v2/payment", body), "paymentId");
  const receipt = await toldOf(work.client, paymentId, "gmtReceipt");
  const facts = paymentFacts(paymentId, body.externalPaymentId);
  ids.set("receipt", { q: receipt, facts: { kind: "receipt", ...facts } });
  const fxId = String(quote.body["fxId"]);
  const also = { kind: "quote", id: fxId, externalId: null };
  ids.set("a quote that a payment has used", { q: fxId, facts: { kind: "quote", ...facts }, also });
}

/** Ids in the history of a payment that are not its own, once there are the expected number. */
const idsInStory = (client: PlatformClient, externalId: string, paymentId: string, count: number): Promise<string[]> =>
  until(
    async () => {
      const history = (await client.payment(externalId)).body["history"] as { paymentId: string }[];
      return [...new Set(history.map((entry) => entry.paymentId))].filter((id) => id !== paymentId);
    },
    ({ length }) => length >= count,
  );

async function collect(work: Work): Promise<void> {
  const { client, ids } = work;
  const body = cardPullBody("1");
  const externalId = String(body["externalPaymentId"]);
  const paymentId = textOf(await post(work, "/v2/payment", body), "paymentId");
  const facts = { kind: "refund", ...paymentFacts(paymentId, externalId) };
  const externalRefundId = freshId();
  await post(work, `/payments/${externalId}/refund`, { externalRefundId, amount: 1 });
  ids.set("the caller's id of a refund", { q: externalRefundId, facts });
  const [refund = ""] = await idsInStory(client, externalId, paymentId, 1);
  ids.set("our id of a refund", { q: refund, facts });
}

async function collectAndPayOut(work: Work): Promise<void> {
  const { client, ids } = work;
  const body = pullPushBody(cardSource("1"));
  const externalId = String(body["externalPaymentId"]);
  const paymentId = textOf(await post(work, "/v2/payment", body), "paymentId");
  const facts = { kind: "leg", ...paymentFacts(paymentId, externalId) };
  for (const [at, q] of (await idsInStory(client, externalId, paymentId, 2)).entries())
    ids.set(`leg ${at + 1}`, { q, facts });
}

async function moveMoney(work: Work): Promise<void> {
  const { ids } = work;
  const wallet = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
  const [one, two] = [await post(work, "/wallets", wallet), await post(work, "/wallets", wallet)];
  const [walletId, toWallet] = [textOf(one, "walletId"), textOf(two, "walletId")];
  const [credit, transfer] = [freshId(), freshId()];
  const move = { walletId, externalId: credit, amount: 5, paymentType: "CREDIT" };
  const id = textOf(await post(work, "/wallets/transaction", move), "transactionId");
  await post(work, "/wallets/transfer", { fromWallet: walletId, toWallet, amount: 1, externalId: transfer });
  ids.set("wallet", { q: walletId, facts: { kind: "wallet", id: walletId, href: `/wallets/${walletId}` } });
  const facts = { kind: "wallet transaction", id, externalId: credit, href: `/wallet-transactions/${id}` };
  ids.set("our id of a wallet transaction", { q: id, facts });
  ids.set("the caller's id of a wallet transaction", { q: credit, facts });
  ids.set("the caller's id of a transfer", {
    q: transfer,
    facts: { kind: "transfer", externalId: transfer, href: `/wallet-transfers/${transfer}` },
  });
}

async function keepPeople(work: Work): Promise<void> {
  const { platform, apiKey, ids, numbers } = work;
  const named = {
    type: "INDIVIDUAL",
    identificationType: "NATIONAL_ID",
    firstName: "Maria",
    lastName: "Silva",
    address,
  };
  const person = textOf(await post(work, "/person", { ...named, identification: "39053344705" }), "id");
  const papers = {
    type: "BUSINESS",
    companyName: "Um Ltda",
    identificationType: "CNPJ",
    identification: "11222333000181",
  };
  const company = textOf(await post(work, "/companies", papers, true), "id");
  ids.set("person", { q: person, facts: { kind: "person", id: person } });
  ids.set("company", { q: company, facts: { kind: "company", id: company } });
  numbers.set("a person's, as it was given", { q: "39053344705", facts: { kind: "person", id: person } });
  numbers.set("a person's, with dots", { q: "390.533.447-05", facts: { kind: "person", id: person } });
  numbers.set("a company's", { q: "11.222.333/0001-81", facts: { kind: "company", id: company } });
  const session = textOf(await post(work, "/v1/sessions", { userRef: freshId(), personId: person }), "sessionId");
  ids.set("KYC session", { q: session, facts: { kind: "session", id: session, parentId: person } });
  const form = new FormData();
  form.append("file", new Blob([Uint8Array.from(sampleFile("jpeg"))]), "scan");
  const url = `${platform.credentials.baseUrl}/people/${person}/documents/passport`;
  const answer = await fetch(url, { method: "POST", headers: { "x-api-key": apiKey }, body: form });
  const document = String(Object(await answer.json())["id"]);
  ids.set("document", { q: document, facts: { kind: "document", id: document, parentId: person } });
}

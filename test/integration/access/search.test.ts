import { FoundKind } from "../../../proto/gen/corridor/common/v1/search_service";
import { FoundIdKind } from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { DomainError } from "../../../services/shared/kernel/errors";
import { derivedUuid, idsOf } from "../../../services/shared/kernel/ids";
import { httpCall } from "../gateway/http-call";
import { type Peers, startPeers } from "../gateway/peers";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const at = new Date("2026-03-01T10:00:00Z");
const kinds = { fx: FoundKind.QUOTE, wallet: FoundKind.WALLET, identity: FoundKind.PERSON, webhook: FoundKind.EVENT };
type Searched = keyof typeof kinds;

describe("search at the edge", () => {
  let peers: Peers;
  let world: AccessWorld;
  const asked: {
    service: string;
    tenant: string | undefined;
    allTenants: boolean;
    id: string;
    withNumbers?: boolean;
  }[] = [];
  /** Services that do not answer. */
  const away = new Set<string>();

  beforeAll(async () => {
    const finderOf = (service: Searched) => ({
      async find(request: { tenant?: string | undefined; allTenants: boolean; id: string; withNumbers: boolean }) {
        asked.push({ service, ...request, tenant: request.tenant });
        if (away.has(service)) throw new DomainError("UNAVAILABLE", "away");
        const facts = { externalId: undefined, parentId: undefined, createdAt: at };
        const review = { kind: FoundKind.REVIEW, id: "review", tenant: "demo", ...facts };
        const own = { kind: kinds[service], id: service, tenant: "demo", ...facts };
        return { found: service === "identity" ? [own, review] : [own] };
      },
    });
    peers = await startPeers({
      payment: {
        async findPayments({ tenant, allTenants, id }) {
          asked.push({ service: "payment", tenant, allTenants, id });
          const amount = { amountMinor: 1n, currency: "USD" };
          const facts = {
            tenant: "demo",
            externalPaymentId: "order-1",
            transactionState: "Paid",
            amount,
            createdAt: at,
          };
          return { payments: [{ kind: FoundIdKind.PAYMENT, paymentId: "p", ...facts }] };
        },
      },
      fx: finderOf("fx"),
      wallet: finderOf("wallet"),
      identity: finderOf("identity"),
      webhook: finderOf("webhook"),
    });
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    world = await startAccessWorld({ tenants: [demo], gateway: targets });
  });
  beforeEach(() => {
    asked.length = 0;
    away.clear();
  });
  afterAll(async () => {
    await world.stop();
    await peers.stop();
  });

  const search = async (q: string, scope?: string) =>
    world.call(`/search?q=${q}`, { headers: { authorization: `Bearer ${await world.tokenOf(demo, scope)}` } });
  const kindsOf = (answer: { json: unknown }) =>
    (answer.json as { found: { kind: string }[] }).found.map(({ kind }) => kind);

  const derived = derivedUuid("anything");
  const [quote, wallet, person, webhook, agent] = (["fx", "wallet", "identity", "webhook", "auth"] as const).map(
    (maker) => idsOf(maker).uuid(),
  );

  it.each([
    ["of a quote", quote, ["payment", "quote", "wallet"]],
    ["of a wallet", wallet, ["payment", "wallet"]],
    ["of an agent", agent, ["payment", "wallet"]],
    ["of a person, document, session or review", person, ["payment", "wallet", "person"]],
    ["of a webhook", webhook, ["payment", "wallet", "event"]],
    ["that follows from what it names", derived, ["payment", "wallet", "event"]],
    ["of an event", `${derived}.12`, ["payment", "wallet", "event"]],
    ["of a decision's event", `${derived}.decision.2`, ["payment", "wallet", "event"]],
    ["of nobody here, with a digit", "order-1", ["payment", "wallet", "person"]],
    ["of nobody here, a UUID", "8f14e45f-ceea-467f-ab1c-2f1b5a3d6e77", ["payment", "wallet", "person"]],
    ["of nobody here, without a digit", "order", ["payment", "wallet"]],
  ])("asks for an id %s those alone that can know it", async (_name, q = "", found) => {
    const answer = await search(q);

    expect(answer.status).toBe(200);
    expect(kindsOf(answer)).toEqual(found);
    expect(asked).toHaveLength(found.length);
    for (const one of asked) expect(one).toMatchObject({ tenant: "demo", allTenants: false, id: q });
  });

  it.each([
    ["payments", quote, ["payment"]],
    ["payments wallets", quote, ["payment", "wallet"]],
    ["payments fx", quote, ["payment", "quote"]],
    ["payments wallets", person, ["payment", "wallet"]],
    ["payments persons", person, ["payment", "person"]],
    ["payments", webhook, ["payment", "event"]],
  ])("looks with the scopes %j for what they let it read alone", async (scope, q = "", found) => {
    expect(kindsOf(await search(q, scope))).toEqual(found);
    expect(asked).toHaveLength(found.length);
  });

  it("needs the scope payments", async () => {
    expect(await search("order-1", "wallets")).toMatchObject({ status: 403 });
    expect(asked).toEqual([]);
  });

  it("tells who did not answer, and what the others know", async () => {
    away.add("wallet").add("fx");

    expect(await search(quote ?? "")).toMatchObject({ status: 200, json: { missing: ["fx", "wallet"] } });
    expect(kindsOf(await search(quote ?? ""))).toEqual(["payment"]);
    // Who cannot know it is not missing.
    expect(await search("order-1")).toMatchObject({ status: 200, json: { missing: ["wallet"] } });
  });

  it("looks for operators at what all tenants have, reviews too", async () => {
    const answer = await world.operate("GET", `/search?q=${person}`);

    expect(kindsOf(answer)).toEqual(["payment", "wallet", "person", "review"]);
    for (const one of asked) expect(one).toMatchObject({ tenant: undefined, allTenants: true });
  });

  it.each([
    ["support", false],
    ["treasury", false],
    ["compliance", true],
  ])("looks among the numbers of documents for an operator with the role %s: %j", async (role, withNumbers) => {
    const token = `${role}-token-of-at-least-32-characters-x`;
    const tokens = world.file(`role-${role}`, `${role} ${token} roles=${role}`);
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    const { operatorPort = 0 } = await world.startGateway({ ...targets, OPERATOR_TOKENS_FILE: tokens });
    const headers = { authorization: `Bearer ${token}` };

    expect((await httpCall(operatorPort, "/search?q=39053344705", { headers })).status).toBe(200);

    expect(asked.map(({ service }) => service)).toEqual(["payment", "wallet", ...(withNumbers ? ["identity"] : [])]);
    expect(asked.find(({ service }) => service === "identity")?.withNumbers ?? false).toBe(withNumbers);
  });
});

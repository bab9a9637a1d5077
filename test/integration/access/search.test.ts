import { FoundKind } from "../../../proto/gen/corridor/common/v1/search_service";
import { FoundIdKind } from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { DomainError } from "../../../services/shared/kernel/errors";
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

  const search = async (scope?: string) =>
    world.call("/search?q=order-1", { headers: { authorization: `Bearer ${await world.tokenOf(demo, scope)}` } });
  const kindsOf = (answer: { json: unknown }) =>
    (answer.json as { found: { kind: string }[] }).found.map(({ kind }) => kind);

  it.each([
    [undefined, ["payment", "quote", "wallet", "person", "event"]],
    ["payments", ["payment", "event"]],
    ["payments wallets", ["payment", "wallet", "event"]],
    ["payments fx persons", ["payment", "quote", "person", "event"]],
  ])("looks with the scopes %j for %j alone", async (scope, found) => {
    const answer = await search(scope);

    expect(answer.status).toBe(200);
    expect(kindsOf(answer)).toEqual(found);
    expect(asked).toHaveLength(found.length);
    for (const one of asked) expect(one).toMatchObject({ tenant: "demo", allTenants: false, id: "order-1" });
  });

  it("needs the scope payments", async () => {
    expect(await search("wallets")).toMatchObject({ status: 403 });
    expect(asked).toEqual([]);
  });

  it("tells who did not answer, and what the others know", async () => {
    away.add("wallet").add("fx");

    expect(await search()).toMatchObject({ status: 200, json: { missing: ["fx", "wallet"] } });
    expect(kindsOf(await search())).toEqual(["payment", "person", "event"]);
  });

  it("looks for operators at what all tenants have, reviews too", async () => {
    const answer = await world.operate("GET", "/search?q=order-1");

    expect(kindsOf(answer)).toEqual(["payment", "quote", "wallet", "person", "review", "event"]);
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

    const others = asked.filter(({ service }) => service !== "payment");
    expect(others.map((one) => one.withNumbers)).toEqual(others.map(() => withNumbers));
    expect(others).toHaveLength(4);
  });
});

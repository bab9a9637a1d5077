import type { ListPaymentsRequest } from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { httpCall } from "../gateway/http-call";
import { type Peers, startPeers } from "../gateway/peers";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

const tokenOf = (role: string): string => `${role}-token-of-at-least-32-characters-x`;
const roles = ["support", "compliance", "treasury", "platform"];

describe("payments for operators", () => {
  let peers: Peers;
  let world: AccessWorld;
  let port: number;
  const asked: ListPaymentsRequest[] = [];
  const evidenceAsked: boolean[] = [];

  beforeAll(async () => {
    const at = new Date("2026-03-01T10:00:00Z");
    const listed = {
      paymentId: "0d4c6a4e-2f0b-8a7d-9b1e-5a3f6c7d8e90",
      tenant: "demo",
      externalPaymentId: "order-1",
      type: "PUSH",
      status: "PENDING",
      transactionState: "WaitingPayout",
      complianceStatus: "Approved",
      payoutStatus: undefined,
      amount: { amountMinor: 100n, currency: "USD" },
      recipientAmount: undefined,
      recipient: undefined,
      source: undefined,
      senderNameMasked: undefined,
      agentId: undefined,
      quoteId: undefined,
      reason: undefined,
      createdAt: at,
      updatedAt: at,
      dueAt: undefined,
      escalatedAt: undefined,
    };
    const record = {
      amount: { amountMinor: 100n, currency: "USD" },
      customer: { firstName: "Ada", lastName: "Lovelace", phoneNumber: "", email: "" },
      billing: undefined,
      ipAddress: "203.0.113.7",
      capturedMinor: 0n,
      refundedMinor: 0n,
      capturedAt: undefined,
      fees: [],
      history: [],
    };
    peers = await startPeers({
      payment: {
        async listPayments(request) {
          asked.push(request);
          return { payments: [listed], next: undefined };
        },
        getPayment: async () => ({ payment: record as never }),
        async getTimeline({ externalPaymentId, withEvidence }) {
          evidenceAsked.push(withEvidence);
          return { paymentId: listed.paymentId, externalPaymentId, events: [], attempts: [], facts: [] };
        },
        listCases: async () => ({ cases: [], next: undefined }),
      },
      webhook: { listDeliveries: async () => ({ deliveries: [], next: "" }) },
    });
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    world = await startAccessWorld({ tenants: [makeTenant("demo")], gateway: targets });
    const tokens = world.file("roles", roles.map((role) => `${role} ${tokenOf(role)} roles=${role}`).join("\n"));
    port = (await world.startGateway({ ...targets, OPERATOR_TOKENS_FILE: tokens })).operatorPort ?? 0;
  });
  beforeEach(() => {
    asked.length = 0;
    evidenceAsked.length = 0;
  });
  afterAll(async () => {
    await world.stop();
    await peers.stop();
  });

  const get = (role: string, path: string) =>
    httpCall(port, path, { headers: { authorization: `Bearer ${tokenOf(role)}` } });

  it.each([
    ["support", 200, false],
    ["compliance", 200, true],
    ["treasury", 200, false],
    ["platform", 403, undefined],
  ])("answer %s %i, with persons: %j", async (role, status, withPeople) => {
    const one = await get(role, "/tenants/demo/payments/0d4c6a4e-2f0b-8a7d-9b1e-5a3f6c7d8e90");
    expect((await get(role, "/payments?tenant=demo")).status).toBe(status);
    expect(one.status).toBe(status);

    expect(asked.map((request) => request.withPeople)).toEqual(
      withPeople === undefined ? [] : [withPeople, withPeople],
    );
    const timeline = await get(role, "/tenants/demo/payments/0d4c6a4e-2f0b-8a7d-9b1e-5a3f6c7d8e90/timeline");
    expect(timeline.status).toBe(status);
    // What providers wrote names people.
    expect(evidenceAsked).toEqual(withPeople === undefined ? [] : [withPeople]);
    expect(one.text.includes("Lovelace")).toBe(withPeople ?? false);
    expect(one.text.includes("203.0.113.7")).toBe(withPeople ?? false);
  });

  it("ask for one tenant's, or for everybody's", async () => {
    await get("support", "/payments?tenant=demo&overdue=true");
    await get("support", "/payments?stuck=true");

    expect(
      asked.map(({ tenant, allTenants, filter }) => [tenant, allTenants, filter?.isOverdue, filter?.isStuck]),
    ).toEqual([
      ["demo", false, true, false],
      [undefined, true, false, true],
    ]);
  });
});

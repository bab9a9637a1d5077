import type { Sandbox } from "../../../sandbox/app";
import { call, eventually, type Platform, type Reply, startPlatform, startWorld } from "./outside-world";

describe("bank debits", () => {
  let world: Sandbox;
  let platform: Platform;
  const account = { routingNumber: "021000021", accountNumber: "1234567890", accountType: "checking", holder: "Ada" };
  const debit = (reference: string, changes: object = {}) =>
    call("POST", `${world.url}/debits`, { reference, amount: "100", currency: "USD", account, ...changes });
  const step = (reference: string, path: string, body: object) =>
    call("POST", `${world.url}/debits/${reference}/${path}`, body);
  const query = (reference: string) => call("GET", `${world.url}/debits/${reference}`);
  const told = (reference: string) =>
    platform.received.map(({ body }) => JSON.parse(body)).filter((one) => one.reference === reference);

  beforeAll(async () => {
    platform = await startPlatform();
    world = await startWorld({ callbackUrl: platform.root });
  });
  afterAll(async () => {
    await world.stop();
    await platform.stop();
  });

  it("are accepted once, and settle a little later", async () => {
    const first = await debit("b1");

    expect(first).toMatchObject({ status: 201, body: { status: "ACCEPTED", debitId: expect.stringMatching(/^DEB-/) } });
    expect((await debit("b1", { amount: "101" })).status).toBe(409);
    await eventually(() => told("b1").length === 1);
    expect(told("b1")).toMatchObject([{ status: "SETTLED", debitId: first.body["debitId"] }]);
    expect(platform.received[0]?.path).toBe("/provider-callbacks/debits");
    expect((await debit("b1")).status).toBe(200);
    expect((await query("b1")).body["status"]).toBe("SETTLED");
    expect((await query("nobody")).status).toBe(404);
  });

  it.each([
    ["000000003", "REJECTED", "R03", 0],
    ["000000001", "RETURNED", "R01", 1],
  ])("of account %s end as %s", async (accountNumber, status, reasonCode, reports) => {
    await debit(accountNumber, { account: { ...account, accountNumber } });

    await eventually(async () => (await query(accountNumber)).body["status"] === status);
    await eventually(() => told(accountNumber).length >= reports);

    expect((await query(accountNumber)).body).toMatchObject({ reasonCode });
    expect(told(accountNumber)).toHaveLength(reports);
  });

  it("are voided before they settle, and refunded in parts", async () => {
    // A busy machine may let one settle first.
    let voided: Reply | undefined;
    let v = "";
    for (let turn = 1; voided?.status !== 201 && turn <= 20; turn += 1) {
      v = `v${turn}`;
      await debit(v);
      voided = await step(v, "void", { reference: `s-${v}` });
    }
    await debit("r1");
    await eventually(async () => (await query("r1")).body["status"] === "SETTLED");
    const refunds = [
      await step("r1", "refunds", { reference: "p1", amount: "60" }),
      await step("r1", "refunds", { reference: "p1", amount: "60" }),
      await step("r1", "refunds", { reference: "p2", amount: "40.01" }),
    ];

    expect(voided?.status).toBe(201);
    expect((await step(v, "void", { reference: `s-${v}` })).status).toBe(200);
    expect((await query(v)).body).toMatchObject({ status: "VOIDED", voidedAt: expect.any(String) });
    expect(refunds.map(({ status }) => status)).toEqual([201, 200, 422]);
    expect((await step("r1", "void", { reference: "late" })).status).toBe(409);
    expect((await step(v, "refunds", { reference: "p", amount: "1" })).status).toBe(409);
  });

  it.each([
    ["account.routingNumber", { account: { ...account, routingNumber: "021000022" } }],
    ["accessToken", { account: undefined }],
    ["accessToken", { account: undefined, accessToken: "access-of-nobody" }],
    ["amount", { amount: "1.001" }],
  ])("name a wrong %s", async (field, changes) => {
    expect(await debit("bad", changes)).toMatchObject({ status: 400, body: { fields: [{ field }] } });
    expect((await query("bad")).status).toBe(404);
  });
});

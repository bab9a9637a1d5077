import type { Sandbox } from "../../../sandbox/app";
import { call, eventually, type Platform, startPlatform, startWorld } from "./outside-world";

describe("the screening vendor", () => {
  let world: Sandbox;
  let platform: Platform;
  const payment = (reference: string, changes: object = {}) => ({
    reference,
    tenant: "demo",
    amount: "100.00",
    currency: "USD",
    recipientName: "Maria Souza",
    recipientCountry: "BRA",
    narrative: "rent",
    ...changes,
  });
  const screen = (body: object) => call("POST", `${world.url}/screening/payments`, body);
  const query = (reference: string) => call("GET", `${world.url}/screening/payments/${reference}`);

  beforeAll(async () => {
    platform = await startPlatform();
    world = await startWorld({ callbackUrl: platform.root });
  });
  afterAll(async () => {
    await world.stop();
    await platform.stop();
  });

  it("approves an ordinary payment, each time alike, and refuses other content", async () => {
    expect(await screen(payment("fine"))).toEqual({ status: 201, body: { reference: "fine", decision: "APPROVED" } });
    expect(await screen(payment("fine"))).toEqual({ status: 200, body: { reference: "fine", decision: "APPROVED" } });
    expect((await screen(payment("fine", { amount: "100.01" }))).status).toBe(409);
    expect((await query("fine")).body).toEqual({ reference: "fine", decision: "APPROVED" });
    expect((await query("unknown")).status).toBe(404);
  });

  it("rejects who is on its list", async () => {
    const { body } = await screen(payment("listed", { recipientName: "Maria Sanctioned" }));

    expect(body).toMatchObject({ decision: "REJECTED", reason: expect.any(String) });
  });

  it.each([
    ["review-approve", "APPROVED"],
    ["review-reject", "REJECTED"],
  ])("decides a review later: %s", async (scenario, decision) => {
    const first = await screen(payment(scenario, { narrative: `SIM:${scenario}` }));
    expect(first.body["decision"]).toBe("REVIEW");

    const told = () => platform.received.filter(({ body }) => body.includes(`"${scenario}"`));
    await eventually(() => told().length === 1);

    expect(told()[0]?.path).toBe("/provider-callbacks/screening");
    expect(JSON.parse(told()[0]?.body ?? "")).toMatchObject({
      reference: scenario,
      status: decision,
      eventId: expect.any(String),
    });
    expect((await query(scenario)).body["decision"]).toBe(decision);
  });

  it("asks for its key and names every wrong field", async () => {
    expect((await call("POST", `${world.url}/screening/payments`, payment("k"), "wrong")).status).toBe(401);
    expect(await screen(payment("bad", { amount: 1, currency: "usd" }))).toMatchObject({
      status: 400,
      body: { fields: [{ field: "amount" }, { field: "currency" }] },
    });
  });
});

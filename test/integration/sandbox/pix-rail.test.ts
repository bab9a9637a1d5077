import type { Sandbox } from "../../../sandbox/app";
import { call, eventually, order, type Platform, railOf, startPlatform, startWorld } from "./outside-world";

describe("the PIX rail", () => {
  let world: Sandbox;
  let platform: Platform;
  let rail: ReturnType<typeof railOf>;

  beforeAll(async () => {
    platform = await startPlatform();
    world = await startWorld({ callbackUrl: platform.root });
    rail = railOf(world.url);
  });
  afterAll(async () => {
    await world.stop();
    await platform.stop();
  });

  it("answers the same order again with the first answer", async () => {
    const first = await rail.prepare(order("same"));
    const again = await rail.prepare(order("same"));

    expect(first).toMatchObject({
      status: 201,
      body: { reference: "same", railId: expect.stringMatching(/^PIX-/), status: "PREPARED" },
    });
    expect(again).toEqual({ status: 200, body: first.body });
    expect(await rail.entry("same")).toMatchObject({ amount: "543.21", prepareCalls: 2, releases: 0 });
  });

  it("refuses another order under a used reference", async () => {
    await rail.prepare(order("taken"));

    const other = await rail.prepare(order("taken", { amount: "543.22" }));

    expect(other).toMatchObject({ status: 409, body: { error: "reference_conflict" } });
    expect(await rail.entry("taken")).toMatchObject({ amount: "543.21", status: "PREPARED" });
  });

  it("pays once however often it is told to", async () => {
    await rail.prepare(order("paid"));

    const replies = await Promise.all([1, 2, 3].map(() => rail.release("paid")));
    await eventually(async () => (await rail.query("paid")).body["status"] === "PAID");
    const late = await rail.release("paid");

    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(late).toMatchObject({ status: 202, body: { status: "PAID" } });
    expect(await rail.entry("paid")).toMatchObject({ releaseCalls: 4, releases: 1, callbacks: [{ status: "PAID" }] });
    expect((await rail.query("paid")).body).toMatchObject({
      endToEndId: expect.stringMatching(/^E\d{20}[A-Za-z0-9]{11}$/),
      releasedAt: expect.any(String),
      paidAt: expect.any(String),
    });
  });

  it("refuses an unknown account, each time alike, and never pays it", async () => {
    const refused = {
      status: 422,
      body: { reference: "no-account", status: "REFUSED", reasonCode: "AC03", reason: "account unknown" },
    };
    const body = order("no-account", { remittance: "rent SIM:reject-account please" });

    expect(await rail.prepare(body)).toMatchObject(refused);
    expect(await rail.prepare(body)).toMatchObject(refused);
    expect((await rail.release("no-account")).status).toBe(409);
    expect((await rail.query("no-account")).body).toMatchObject({ status: "REFUSED", reasonCode: "AC03" });
  });

  it("pays an order whose scenario it does not know", async () => {
    expect((await rail.prepare(order("unknown-sim", { remittance: "SIM:no-such-thing" }))).status).toBe(201);
  });

  it("cancels what is not released, and never releases it then", async () => {
    await rail.prepare(order("stopped"));

    expect(await rail.cancel("stopped")).toMatchObject({ status: 200, body: { status: "CANCELLED" } });
    expect((await rail.cancel("stopped")).status).toBe(200);
    expect((await rail.release("stopped")).status).toBe(409);
    expect((await rail.prepare(order("stopped"))).status).toBe(422);
    expect(await rail.entry("stopped")).toMatchObject({ releases: 0 });
  });

  it("keeps a tombstone for a cancelled reference that it never saw", async () => {
    expect(await rail.cancel("early")).toMatchObject({ status: 200, body: { status: "CANCELLED" } });

    expect(await rail.prepare(order("early"))).toMatchObject({ status: 422, body: { status: "REFUSED" } });
    expect((await rail.release("early")).status).toBe(409);
  });

  it("does not cancel what is released", async () => {
    await rail.prepare(order("gone"));
    await rail.release("gone");

    expect((await rail.cancel("gone")).status).toBe(409);
  });

  it("says that it does not know a reference", async () => {
    expect(await rail.query("nothing")).toEqual({ status: 404, body: { error: "not_found", reference: "nothing" } });
    expect((await rail.release("nothing")).status).toBe(404);
  });

  it("names every wrong field of an order and books nothing", async () => {
    const wrong = order("wrong", { amount: 543.21, currency: "USD", account: { keyType: "EMAIL" } });

    expect(await rail.prepare(wrong)).toMatchObject({
      status: 400,
      body: { fields: [{ field: "currency" }, { field: "amount" }, { field: "account.key" }] },
    });
    expect(await rail.entry("wrong")).toBeUndefined();
  });

  it("refuses callers without its key", async () => {
    expect((await call("POST", `${world.url}/rails/pix/instructions`, order("x"), "wrong")).status).toBe(401);
    expect((await call("GET", `${world.url}/rails/pix/instructions/x`, undefined, "")).status).toBe(401);
  });

  it("lists its values and its health to anyone", async () => {
    const values = await fetch(`${world.url}/values`).then((response) => response.json());

    expect(values).toMatchObject({
      scenarios: expect.arrayContaining([
        expect.objectContaining({ name: "paid", default: true }),
        expect.objectContaining({ name: "reject-account", value: "SIM:reject-account" }),
      ]),
      rails: expect.arrayContaining([expect.objectContaining({ rail: "pix", currencies: ["BRL"] })]),
      moneyServicesOperators: expect.arrayContaining([{ country: "KEN", walletOperator: "AIRTEL_MONEY" }]),
    });
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${world.url}/nothing`)).status).toBe(404);
  });
});

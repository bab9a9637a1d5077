import { mongo } from "mongoose";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

describe("messages of the bus, for operators", () => {
  let world: AccessWorld;

  beforeAll(async () => {
    world = await startAccessWorld({ tenants: [makeTenant("demo")] });
  });
  afterAll(() => world.stop());

  it("are listed by service, with a clear refusal of what is not there", async () => {
    const client = await mongo.MongoClient.connect(world.testbed.mongoUri);
    const parked = client.db(world.testbed.database("access")).collection<{ _id: string }>("parked_messages");
    const message = {
      stream: "CORRIDOR_WEBHOOK",
      sequence: 7,
      subject: "corridor.webhook.other",
      cause: "no such field",
    };
    const payload = new mongo.Binary(Buffer.from("???"));
    await parked.insertOne({ _id: "CORRIDOR_WEBHOOK/7", ...message, payload, parkedAt: new Date(0), times: 1 } as {
      _id: string;
    });
    await client.close();

    expect(await world.operate("GET", "/bus/auth/parked-messages")).toMatchObject({
      status: 200,
      json: {
        messages: [{ id: "CORRIDOR_WEBHOOK/7", ...message, parkedAt: "1970-01-01T00:00:00.000Z", size: 3 }],
        next: null,
      },
    });
    expect(await world.operate("GET", "/bus/auth/parked-messages?limit=0")).toMatchObject({ status: 400 });
    expect(await world.operate("GET", "/bus/nobody/parked-messages")).toMatchObject({ status: 404 });
    const replay = (sequence: number) =>
      world.operate("POST", `/bus/auth/parked-messages/CORRIDOR_WEBHOOK/${sequence}/replay`);
    expect(await replay(7)).toMatchObject({ status: 409, json: { code: "OPS_409" } });
    expect(await replay(8)).toMatchObject({ status: 404, json: { code: "OPS_404" } });
  });

  it("that were gone unheard are listed until they have come again", async () => {
    const client = await mongo.MongoClient.connect(world.testbed.mongoUri);
    const positions = client.db(world.testbed.database("access")).collection<{ _id: string }>("consumer_positions");
    const since = new Date("2026-01-02T03:04:05Z");
    const gaps = { gaps: [{ id: "g", since }] };
    await positions.updateOne({ _id: "CORRIDOR_WEBHOOK/auth" }, { $set: gaps }, { upsert: true });
    const missed = await world.operate("GET", "/bus/auth/gaps");
    await positions.updateOne({ _id: "CORRIDOR_WEBHOOK/auth" }, { $set: { gaps: [] } });
    await client.close();

    expect(missed).toMatchObject({
      status: 200,
      json: { gaps: [{ stream: "CORRIDOR_WEBHOOK", durable: "auth", since: since.toISOString() }] },
    });
    expect(await world.operate("GET", "/bus/auth/gaps")).toMatchObject({ status: 200, json: { gaps: [] } });
    expect(await world.operate("GET", "/bus/nobody/gaps")).toMatchObject({ status: 404 });
  });

  it("are published by the replica that the list of leases names", async () => {
    const client = await mongo.MongoClient.connect(world.testbed.mongoUri);
    const leases = client.db(world.testbed.database("access")).collection<{ _id: string }>("leases");
    const held = { holder: "auth-0-17-abc", expiresAt: new Date("2026-01-02T03:04:05Z") };
    await leases.insertOne({ _id: "a-duty", ...held });
    const answer = await world.operate("GET", "/bus/auth/leases");
    await leases.deleteOne({ _id: "a-duty" });
    await client.close();

    expect(answer.status).toBe(200);
    const { leases: listed } = answer.json as { leases: unknown[] };
    expect(listed[0]).toEqual({ name: "a-duty", holder: held.holder, expiresAt: held.expiresAt.toISOString() });
    expect(await world.operate("GET", "/bus/nobody/leases")).toMatchObject({ status: 404 });
  });

  it("are told again from a time on, once for each id, and each call is in the audit log", async () => {
    const ask = (body: object) => world.operate("POST", "/bus/auth/replays", body);
    const since = "2026-01-01T00:00:00Z";

    expect(await ask({ replayId: "r-1", since })).toMatchObject({ status: 200, json: { published: 0 } });
    expect(await ask({ replayId: "r-1", since })).toMatchObject({ status: 200 });
    expect(await ask({ replayId: "r-1", since: "2026-01-02T00:00:00Z" })).toMatchObject({ status: 409 });
    expect(await ask({ replayId: "r-2", since: "yesterday" })).toMatchObject({ status: 400, json: { code: "VE_001" } });
    expect(await ask({ since })).toMatchObject({ status: 400, json: { code: "VE_001" } });
    const { json } = await world.operate("GET", "/audit?limit=500");
    const { records } = json as { records: { action: string; outcome: string }[] };
    const ofReplays = records.filter(({ action }) => action.includes("/bus/{service}/replays"));
    expect(ofReplays.some(({ outcome }) => outcome === "done")).toBe(true);
  });
});

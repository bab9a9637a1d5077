import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mongo } from "mongoose";
import { until } from "../../support/platform-client";
import { httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

interface StoredRecord {
  _id: number;
  hash: string;
}

interface Verdict {
  isWhole: boolean;
  brokenAt: number | null;
  count: number;
  anchors: number;
  anchorFaults: string[];
}

describe("the audit log, anchored outside the store", () => {
  let world: AccessWorld;
  let client: mongo.MongoClient;
  let file: string;
  beforeAll(async () => {
    world = await startAccessWorld({ tenants: [makeTenant("demo")], auth: { AUTH_ANCHOR_SECONDS: "1" } });
    await world.stopAuth();
    file = join(world.folder, "anchors");
    client = await mongo.MongoClient.connect(world.testbed.mongoUri);
  });
  afterAll(async () => {
    await client.close();
    await world.stop();
  });

  const database = () => client.db(world.testbed.database("access"));
  const audit = () => database().collection<StoredRecord>("audit");
  const heads = () => database().collection<{ _id: string; sequence: number; hash: string }>("audit_head");
  const anchored = (): number[] => {
    try {
      const lines = readFileSync(file, "utf8").trim().split("\n");
      return lines.map((line) => Number(Reflect.get(JSON.parse(line) as object, "number")));
    } catch {
      return [];
    }
  };
  /** A gateway before an auth service that anchors in the file too. */
  const start = async () => {
    const auth = await world.startAuthReplica({ AUTH_ANCHOR_FILE: file });
    const gateway = await world.startGateway({ AUTH_TARGET: `ipv4:127.0.0.1:${auth.port}` });
    const operate = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${operatorToken}` };
      return (await httpCall(gateway.operatorPort ?? 0, path, { headers })).json;
    };
    return { stop: auth.stop, operate, verify: async () => (await operate("/audit/verify")) as Verdict };
  };
  /** Cuts the chain behind a record, as who can write to the store would. */
  const truncate = async (sequence: number): Promise<void> => {
    const last = await audit().findOne({ _id: sequence });
    await audit().deleteMany({ _id: { $gt: sequence } });
    await heads().updateOne({ _id: "head" }, { $set: { sequence, hash: last?.hash ?? "" } });
  };

  it("is whole and fits its anchors, in the file and on the bus", async () => {
    const { operate, verify, stop } = await start();
    for (let turn = 0; turn < 5; turn += 1) await operate("/tenants");
    await until(
      () => Promise.resolve(anchored().at(-1) ?? 0),
      (last) => last >= 5,
    );

    const verdict = await until(verify, ({ anchors }) => anchors >= 2);
    expect(verdict).toMatchObject({ isWhole: true, brokenAt: null, anchorFaults: [] });
    await stop();
  });

  it("is found out when its end was cut off, and when it was written anew", async () => {
    const last = anchored().at(-1) ?? 0;
    expect(last).toBeGreaterThanOrEqual(5);
    const kept = await audit().find({}).sort({ _id: 1 }).toArray();
    await truncate(3);

    const { operate, verify, stop } = await start();
    const cut = await verify();
    expect(cut).toMatchObject({ isWhole: false });
    expect(cut.brokenAt).toBeLessThanOrEqual(6);
    expect(cut.anchorFaults).toContain(`record ${last} was anchored outside the store, and is missing`);

    // The service goes on behind the cut: the chain alone is whole again, and longer than it was.
    for (let turn = 0; turn < kept.length + 5; turn += 1) await operate("/tenants");
    const grown = await verify();
    expect(grown.count).toBeGreaterThan(last);
    expect(grown.isWhole).toBe(false);
    expect(grown.anchorFaults).toContain(`record ${last} was anchored outside the store, and is another`);
    // What shows the fault is covered by no newer anchor.
    expect(anchored().at(-1)).toBe(last);
    await stop();

    const { verify: verifyAgain, stop: stopAgain } = await start();
    expect(await verifyAgain()).toMatchObject({ isWhole: false });
    await stopAgain();
    await audit().deleteMany({ _id: { $gt: 0 } });
    await audit().insertMany(kept);
    await truncate(kept.at(-1)?._id ?? 0);
  });

  it("is found out when an anchor was written by somebody else, and is whole when all is as it was", async () => {
    const lines = readFileSync(file, "utf8");
    const strange = JSON.stringify({ number: 2, seal: "s", signature: "s" });
    writeFileSync(file, `${lines}${strange}\n`);
    const { verify, stop } = await start();

    expect(await verify()).toMatchObject({
      isWhole: false,
      brokenAt: null,
      anchorFaults: ["an anchor of record 2 is not signed by this service"],
    });
    writeFileSync(file, lines);
    expect(await verify()).toMatchObject({ isWhole: true, anchorFaults: [] });
    await stop();
  });
});

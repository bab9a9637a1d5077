import { mongo } from "mongoose";
import { keyIdOf } from "../../../services/shared/crypto/sealing";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const [oldPepper, newPepper, oldSeal, newSeal] = ["1", "3", "2", "4"].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const idOf = (key: string): string => keyIdOf(Buffer.from(key, "hex"));

interface Use {
  collection: string;
  seen: number;
  renewed: number;
  left: number;
  unopened: number;
  names: string[];
}

interface Renewal {
  renewalId: string;
  doneAt: string | null;
  isClear: boolean;
  uses: Use[];
}

describe("rings of keys of the auth service", () => {
  let world: AccessWorld;
  beforeAll(async () => {
    world = await startAccessWorld({ tenants: [demo] });
  });
  afterAll(() => world.stop());

  const ring = (name: string, ...keys: string[]): string => world.file(name, `${keys.join("\n")}\n`);
  const rings = (peppers: string[], seals: string[]) => ({
    AUTH_PEPPER_FILE: ring(`pepper-${peppers.map(idOf).join("-")}`, ...peppers),
    AUTH_SEALING_KEY_FILE: ring(`sealing-${seals.map(idOf).join("-")}`, ...seals),
  });
  /** A gateway of its own before another replica. */
  const gateAt = async (port: number) => {
    const gateway = await world.startGateway({ AUTH_TARGET: `ipv4:127.0.0.1:${port}` });
    const operate = (method: string, path: string, body?: object): Promise<HttpAnswer> => {
      const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" };
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      return httpCall(gateway.operatorPort ?? 0, path, { method, headers, ...json });
    };
    const useKey = async (apiKey: string): Promise<number> => {
      const call = { method: "POST", headers: { "x-api-key": apiKey, "content-type": "application/json" }, body: "{}" };
      return (await httpCall(gateway.port ?? 0, "/organizations/nobody/agents", call)).status;
    };
    const renew = async (renewalId: string): Promise<Renewal> =>
      (await operate("POST", "/key-rings/auth/renewals", { renewalId })).json as Renewal;
    const renewed = (renewalId: string) =>
      until(
        () => renew(renewalId),
        ({ doneAt }) => doneAt !== null,
      );
    return { operate, useKey, renew, renewed };
  };
  const makeKey = async (): Promise<string> => {
    const { json } = await world.operate("POST", "/tenants/demo/credentials", { kind: "key", owner: "demo" });
    return String(Reflect.get(Object(json) as object, "credential"));
  };
  const useOf = ({ uses }: Renewal, collection: string) => uses.find((use) => use.collection === collection);

  it("are replaced while two replicas serve; what nobody knows is named until it is used; then the old keys go", async () => {
    const idle = await makeKey();
    const agent = { email: "a@example.com", businessName: "Partner", externalId: "p-1" };
    const headers = { "x-api-key": demo.apiKey, "content-type": "application/json" };
    const made = await world.call("/organizations/demo/agents", {
      method: "POST",
      headers,
      body: JSON.stringify(agent),
    });
    const agentKey = String(Reflect.get(Object(made.json) as object, "apiKey")).split("_")[2] ?? "";

    // First every replica gets the new keys behind the present ones.
    const both = await world.startAuthReplica(rings([oldPepper, newPepper], [oldSeal, newSeal]));
    await world.stopAuth();
    const next = await world.startAuthReplica(rings([newPepper, oldPepper], [newSeal, oldSeal]));
    const [first, second] = [await gateAt(both.port), await gateAt(next.port)];

    expect(await second.operate("GET", "/key-rings/auth")).toMatchObject({
      status: 200,
      json: {
        rings: [
          { name: "AUTH_SEALING_KEY_FILE", keyIds: [idOf(newSeal), idOf(oldSeal)] },
          { name: "AUTH_PEPPER_FILE", keyIds: [idOf(newPepper), idOf(oldPepper)] },
        ],
      },
    });
    const early = await second.operate("POST", "/key-rings/auth/renewals", { renewalId: "r-0" });
    expect(early).toMatchObject({ status: 409, json: { code: "OPS_409" } });
    expect(await first.useKey(demo.apiKey)).toBe(404);
    expect(await second.useKey(demo.apiKey)).toBe(404);
    await both.stop();

    const done = await second.renewed("r-1");
    expect(useOf(done, "credentials")).toMatchObject({ left: 2, unopened: 0 });
    expect(useOf(done, "credentials")?.names.toSorted()).toEqual([idle.split("_")[2] ?? "", agentKey].toSorted());
    for (const collection of ["signing_keys", "agents", "audit_keys"])
      expect(useOf(done, collection)).toMatchObject({ seen: expect.any(Number), left: 0, unopened: 0 });
    expect(done.isClear).toBe(false);
    expect(await second.renew("r-1")).toEqual(done);

    // One is used, the other is revoked.
    expect(await second.useKey(idle)).toBe(404);
    expect((await second.operate("DELETE", `/tenants/demo/credentials/${agentKey}`)).status).toBe(204);
    const clear = await second.renewed("r-2");
    expect(useOf(clear, "credentials")).toMatchObject({ left: 0, unopened: 0 });
    expect(clear.isClear).toBe(true);
    expect(await world.storeDump()).not.toContain(`s1.${idOf(oldSeal)}`);
    await next.stop();

    const last = await gateAt((await world.startAuthReplica(rings([newPepper], [newSeal]))).port);
    expect(await last.useKey(idle)).toBe(404);
    expect(await last.useKey(demo.apiKey)).toBe(404);
    expect(await last.operate("GET", "/tenants/demo/agents")).toMatchObject({
      json: { agents: expect.arrayContaining([expect.objectContaining({ email: "a@example.com" })]) },
    });
    // The audit log began under a key that is gone, and goes on under the next.
    expect((await last.operate("GET", "/audit/verify")).json).toMatchObject({ isWhole: true, brokenAt: null });
    const client = await mongo.MongoClient.connect(world.testbed.mongoUri);
    const audit = client.db(world.testbed.database("access")).collection<{ _id: number; key: string }>("audit");
    const records = await audit.find({}).sort({ _id: 1 }).toArray();
    await client.close();
    expect(new Set(records.map(({ key }) => key)).size).toBe(2);
  });

  it("do not open to a pepper or a sealing key that is missing, and refuse what is no ring", async () => {
    const port = (await world.startAuthReplica(rings([newPepper], [newSeal]))).port;
    const { operate } = await gateAt(port);

    expect(await operate("POST", "/key-rings/auth/renewals", {})).toMatchObject({
      status: 400,
      json: { errors: [{ field: "renewalId" }] },
    });
    expect(await operate("POST", "/key-rings/auth/renewals", { renewalId: "x".repeat(129) })).toMatchObject({
      status: 400,
    });
    expect((await operate("GET", "/key-rings/nobody")).status).toBe(404);
    expect((await operate("GET", "/key-rings/webhook")).status).toBe(503);
    await expect(world.startAuthReplica({ AUTH_PEPPER_FILE: ring("twice", newPepper, newPepper) })).rejects.toThrow(
      "AUTH_PEPPER_FILE must name a file with each key once",
    );
  });
});

import type { Gateway } from "../../../gateway/app";
import { oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import { httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const [people, pathsOfEach] = [8, 15];

interface Recorded {
  actor: string;
  tenant: string;
  action: string;
  count: number;
}

describe("the audit log, while many of one tenant are refused at every gateway", () => {
  let issuer: TestIssuer;
  let world: AccessWorld;
  beforeAll(async () => {
    issuer = await startTestIssuer();
    world = await startAccessWorld({
      tenants: [demo],
      authFiles: (file) => ({ AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)) }),
    });
  });
  afterAll(async () => {
    await world.stop();
    await issuer.stop();
  });

  it("tells at most sixty refusals of the tenant and twenty more a minute one by one, whoever calls where, and counts the rest", async () => {
    const gateways: Gateway[] = [await world.startGateway(), await world.startGateway()];
    const startedAt = Date.now();
    const look = async (gateway: Gateway, token: string, path: string): Promise<void> => {
      const { status, json } = await httpCall(gateway.port ?? 0, `/organizations/demo/people/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect({ status, json }).toMatchObject({ status: 403, json: { code: "AUTH_005" } });
    };
    for (let person = 0; person < people; person += 1) {
      const viewer = { sub: `viewer-${person}`, amr: ["otp"], groups: ["corridor:demo:viewer"] };
      const token = await issuer.token(viewer);
      for (let path = 0; path < pathsOfEach; path += 1) {
        for (const gateway of gateways) await look(gateway, token, `x${path}`);
      }
    }
    await Promise.all(gateways.map((gateway) => gateway.stop()));

    const { text } = await world.operate("GET", "/audit?limit=500");
    const { records } = JSON.parse(text) as { records: Recorded[] };
    const own = records.filter(({ tenant }) => tenant === "demo");
    const minutes = (Date.now() - startedAt) / 60_000;
    const single = own.filter(({ action }) => action !== "several");
    // What a gateway has leased of them lapses where a busy machine calls it for the next one a second later.
    expect(single.length).toBeGreaterThanOrEqual(40);
    expect(single.length).toBeLessThanOrEqual(60 + Math.ceil(20 * minutes));
    const together = own.filter(({ action }) => action === "several");
    expect(new Set(together.map(({ actor }) => actor))).toEqual(new Set(["tenant:demo"]));
    // One for each gateway, and one more for each minute that it took.
    expect(together.length).toBeLessThanOrEqual(gateways.length * Math.ceil(1 + minutes));
    const told = own.reduce((sum, { count }) => sum + count, 0);
    expect(told).toBe(people * pathsOfEach * gateways.length);
    expect((await world.operate("GET", "/audit/verify")).json).toMatchObject({ isWhole: true });
  });
});

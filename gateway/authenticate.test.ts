import type { Person } from "../proto/gen/corridor/auth/v1/people_service";
import { systemClock } from "../services/shared/kernel/clock";
import { systemIds } from "../services/shared/kernel/ids";
import { startAccessRules } from "./access-rules";
import { makeAuthenticate } from "./authenticate";
import { makePeople } from "./people";
import { makeStrangerBudget } from "./stranger-budget";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const notAsked = () => Promise.reject(new Error("not asked"));
const session = `session_${"A".repeat(43)}`;
const certificate = "ab".repeat(32);

describe("one of a tenant's people, in production", () => {
  const person: Person = {
    userId: "u",
    tenant: "demo",
    roles: ["viewer"],
    expiresAt: new Date(Date.now() + 60_000),
    provenAt: undefined,
  };
  const rule = { tenant: "demo", isDisabled: false, allowlist: ["10.0.0.0/8"], certificates: [certificate] };
  const access = { disabledClients: [], verifiers: 1, revokedTokens: [], secrets: [] };
  const rules = startAccessRules({
    getAccessRules: () => Promise.resolve({ ...access, tenants: [rule] }),
    profile: "production",
    needsCertificate: true,
    clock: systemClock,
    logger: silent,
    ids: systemIds,
  });
  const strangers = makeStrangerBudget({ factor: 1 });
  const { bearer } = makeAuthenticate({
    verifyBearer: notAsked,
    authenticateKey: notAsked,
    rules,
    strangers,
    operators: { find: () => undefined },
    people: makePeople({ authenticatePerson: () => Promise.resolve({ person }), strangers, clock: systemClock }),
    ownIssuer: notAsked,
    clock: systemClock,
  });
  afterAll(() => rules.stop());

  const come = async (address: string, shown: string | undefined) => {
    const headers = { authorization: `Bearer ${session}` };
    const { caller, refusal } = await bearer(
      { headers, peer: { address, certificate: shown } },
      "payments",
      "GET /v2/payments",
    );
    return [caller.name, refusal?.reason];
  };

  it("comes from where the tenant's programs may come from, and with one of its certificates", async () => {
    expect(await come("10.1.2.3", certificate)).toEqual(["user:u", undefined]);
    expect(await come("192.0.2.1", certificate)).toEqual(["user:u", "ADDRESS_REFUSED"]);
    expect(await come("10.1.2.3", "cd".repeat(32))).toEqual(["user:u", "UNAUTHENTICATED"]);
    expect(await come("10.1.2.3", undefined)).toEqual(["user:u", "UNAUTHENTICATED"]);
  });
});

import { parseScreeningPolicy, thresholdFor } from "./screening-policy";

const source = { name: "ofac", format: "ofac-xml", file: "/lists/sdn.xml", maxAgeHours: 72 };
const parse = (policy: object) => parseScreeningPolicy(JSON.stringify(policy));

describe("parseScreeningPolicy", () => {
  it("reads lists, thresholds and embargoes", () => {
    const tenants = { acme: { threshold: 92, lists: { ofac: 95 } }, other: { threshold: 90 } };
    const policy = parse({ lists: [source], tenants, countries: { KP: "reject", SY: "block" } });
    const [list] = policy.lists;

    expect(list).toMatchObject({ name: "ofac", from: { file: "/lists/sdn.xml" }, maxAgeHours: 72 });
    expect(policy.countries.get("KP")).toBe("reject");
    expect(["acme", "other", "third"].map((tenant) => list && thresholdFor(policy, tenant, list))).toEqual([
      95, 90, 90,
    ]);
  });

  it.each<[string, object]>([
    ["no lists", { lists: [] }],
    ["a name twice", { lists: [source, source] }],
    ["an unknown format", { lists: [{ ...source, format: "pdf" }] }],
    ["neither file nor url", { lists: [{ name: "a", format: "own" }] }],
    ["a url without https", { lists: [{ name: "a", format: "own", url: "http://example.com/list" }] }],
    ["an embargo without a consequence", { lists: [source], countries: { KP: "maybe" } }],
    ["a threshold that lets everybody pass", { lists: [{ ...source, threshold: 101 }] }],
    ["a threshold of a list that there is not", { lists: [source], tenants: { acme: { lists: { un: 90 } } } }],
  ])("refuses %s", (_what, policy) => {
    expect(() => parse(policy)).toThrow(/screening policy/);
  });
});

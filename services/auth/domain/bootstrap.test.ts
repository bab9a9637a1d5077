import { makeCredential } from "../../shared/crypto/credential";
import { systemIds } from "../../shared/kernel/ids";
import { parseBootstrap } from "./bootstrap";

const tenant = () => ({
  tenant: "demo",
  apiKey: makeCredential("key", "local", systemIds),
  clientId: "demo-client",
  clientSecret: makeCredential("secret", "local", systemIds),
  agents: [
    { agentId: systemIds.uuid(), apiKey: makeCredential("agent", "local", systemIds), status: "PENDING_APPROVAL" },
  ],
});

describe("parseBootstrap", () => {
  it("reads the tenants of a credentials file", () => {
    const tenants = [tenant()];

    expect(parseBootstrap(JSON.stringify({ baseUrl: "http://127.0.0.1:8080", tenants }), "local")).toEqual(tenants);
  });

  it("refuses credentials of another environment, all at once and without showing them", () => {
    const broken = tenant();
    const read = () => parseBootstrap(JSON.stringify({ tenants: [broken] }), "sandbox");

    expect(read).toThrow(/tenants\/0\/apiKey .*tenants\/0\/clientSecret .*tenants\/0\/agents\/0\/apiKey /);
    expect(read).not.toThrow(broken.apiKey);
  });

  it.each([{}, { tenants: [{}] }, { tenants: [{ ...tenant(), agents: [{ ...tenant().agents[0], status: "OPEN" }] }] }])(
    "refuses a file of another shape",
    (file) => {
      expect(() => parseBootstrap(JSON.stringify(file), "local")).toThrow("bootstrap file is not usable");
    },
  );
});

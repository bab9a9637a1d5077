import { ofKind } from "../../local/chart/manifest";
import { openPaths, renderInto } from "./objects";
import { makeNamespace, openCluster } from "./testbed";

const { api } = openCluster();
afterAll(() => api.close());

describe("the accounts of a release, before an API server", () => {
  let namespace: string;
  beforeAll(async () => {
    namespace = await makeNamespace(api);
    const pathOf = openPaths(api, namespace);
    const wanted = ["ServiceAccount", "Role", "RoleBinding"];
    for (const object of renderInto(namespace, "laptop").filter(({ kind }) => wanted.includes(kind))) {
      await api.must("POST", (await pathOf(object)) ?? "", object);
    }
    for (const name of ["corridor-rpc-authority", "corridor-auth"]) {
      await api.must("POST", `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name } });
    }
  });
  afterAll(() => api.call("DELETE", `/api/v1/namespaces/${namespace}`));

  async function as(account: string) {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
    const { status } = await api.must<{ status: { token: string } }>("POST", path, { spec: {} });
    return api.as(status.token);
  }

  /** Statuses of what an intruder might try in the namespace. */
  async function triesOf(account: string): Promise<Record<string, number>> {
    const one = await as(account);
    const root = `/api/v1/namespaces/${namespace}`;
    const secret = (name: string): string => `${root}/secrets/${name}`;
    const asked = {
      "read its authority": one.call("GET", secret("corridor-rpc-authority")),
      "replace its authority": one.call("PATCH", secret("corridor-rpc-authority"), { data: {} }, "merge"),
      "read keys of another": one.call("GET", secret("corridor-auth")),
      "replace keys of another": one.call("PUT", secret("corridor-auth"), { metadata: { name: "corridor-auth" } }),
      "list Secrets": one.call("GET", `${root}/secrets`),
      "remove a Secret": one.call("DELETE", secret("corridor-auth")),
      "read settings": one.call("GET", `${root}/configmaps`),
      "list pods": one.call("GET", `${root}/pods`),
      "start a pod": one.call("POST", `${root}/pods?dryRun=All`, { metadata: { name: "a" } }),
      "take more rights": one.call("POST", `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
        metadata: { name: "a" },
      }),
      "read Secrets elsewhere": one.call("GET", "/api/v1/namespaces/kube-system/secrets"),
    };
    const answers = await Promise.all(Object.entries(asked).map(async ([what, call]) => [what, (await call).status]));
    await one.close();
    return Object.fromEntries(answers) as Record<string, number>;
  }

  it("are those of the services, the simulated world, the servers and the test, and of the maker of certificates", () => {
    const names = ofKind(renderInto(namespace, "laptop"), "ServiceAccount").map(({ metadata }) => metadata?.name);

    const services = ["auth", "fx", "gateway", "identity", "payment", "schema", "wallet", "webhook"];
    const others = ["certificates", "mongodb", "nats", "sandbox", "test"];
    expect(new Set(names)).toEqual(new Set([...services, ...others].map((name) => `corridor-${name}`)));
  });

  it("may do nothing at all", async () => {
    const names = ofKind(renderInto(namespace, "laptop"), "ServiceAccount").map(({ metadata }) => metadata?.name ?? "");
    for (const name of names.filter((one) => one !== "corridor-certificates")) {
      const statuses = Object.values(await triesOf(name));

      expect([name, new Set(statuses)]).toEqual([name, new Set([403])]);
    }
  });

  it("may make and renew certificates, and touch no other Secret: the maker of certificates", async () => {
    const one = await as("corridor-certificates");
    const made = await one.call("POST", `/api/v1/namespaces/${namespace}/secrets`, {
      metadata: { name: "corridor-payment-rpc-tls" },
    });
    const tries = await triesOf("corridor-certificates");
    const renewed = await one.call(
      "PUT",
      `/api/v1/namespaces/${namespace}/secrets/corridor-payment-rpc-tls`,
      made.body as object,
    );
    await one.close();

    expect([made.status, renewed.status]).toEqual([201, 200]);
    const allowed = Object.entries(tries).filter(([, status]) => status !== 403);
    expect(allowed).toEqual([["read its authority", 200]]);
  });
});

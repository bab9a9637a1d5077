import { valuesFiles } from "../../local/chart/helm";
import { type Manifest, workloadsOf } from "../../local/chart/manifest";
import { releaseChanges } from "../../local/chart/release-changes";
import { messageOf } from "../../local/control-plane/kube-api";
import { openPaths, renderInto } from "./objects";
import { makeNamespace, openCluster } from "./testbed";

const strict = "dryRun=All&fieldValidation=Strict";
/** Kinds of others, which a server knows where their operators are. */
const ofOthers = /^(monitoring\.coreos\.com|cert-manager\.io|gateway\.networking\.k8s\.io|external-secrets\.io)\//;
/** No pod of this test is to run anywhere. */
const nowhere = "pods.nodeSelector.corridor\\.test/run=nobody";

const { api } = openCluster();
afterAll(() => api.close());

describe("an API server in whose namespace pods must be restricted", () => {
  let namespace: string;
  let pathOf: ReturnType<typeof openPaths>;
  beforeAll(async () => {
    namespace = await makeNamespace(api);
    pathOf = openPaths(api, namespace);
  });
  afterAll(() => api.call("DELETE", `/api/v1/namespaces/${namespace}`));

  /** What the server says against objects, and of those that it takes. */
  async function objectionsTo(objects: readonly Manifest[]): Promise<string[]> {
    const said: string[] = [];
    for (const object of objects) {
      const path = await pathOf(object);
      const name = `${object.kind} ${object.metadata.name}`;
      if (path === undefined) {
        if (!ofOthers.test(object.apiVersion)) said.push(`${name}: nobody knows ${object.apiVersion}`);
        continue;
      }
      const answer = await api.call("POST", `${path}?${strict}`, object);
      if (answer.status !== 201) said.push(`${name}: ${answer.status} ${messageOf(answer)}`);
      said.push(...answer.warnings.map((warning) => `${name}: ${warning}`));
    }
    return said;
  }

  it.each(valuesFiles())("takes every object of $title, without a word against one", async ({ title }) => {
    const objects = renderInto(namespace, title).filter(({ kind }) => kind !== "Pod");

    expect(objects.length).toBeGreaterThan(40);
    expect(await objectionsTo(objects)).toEqual([]);
  });

  const podsOf = (title: string): Manifest[] =>
    workloadsOf(renderInto(namespace, title)).map(({ name, labels, pod }) => {
      const { priorityClassName: _absent, ...spec } = { ...pod, serviceAccountName: "default" };
      // Claims that a StatefulSet makes are volumes of its pods.
      const mounted = spec.containers.flatMap(({ volumeMounts }) => volumeMounts ?? []).map(({ name }) => name);
      const given = (spec.volumes ?? []).map(({ name }) => name);
      const claims = mounted.filter((one) => !given.includes(one)).map((one) => ({ name: one, emptyDir: {} }));
      const volumes = [...(spec.volumes ?? []), ...claims];
      return { apiVersion: "v1", kind: "Pod", metadata: { name, labels }, ...{ spec: { ...spec, volumes } } };
    });

  it.each(valuesFiles())("admits every pod of $title", async ({ title }) => {
    await api.call("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: "default" } });

    expect(await objectionsTo(podsOf(title))).toEqual([]);
  });

  it.each([
    ["that may be root", { securityContext: { runAsNonRoot: false } }],
    ["without a seccomp profile", { securityContext: { runAsNonRoot: true, runAsUser: 10_001 } }],
    ["in the network of its host", { hostNetwork: true }],
    ["with the processes of its host", { hostPID: true }],
  ])("refuses a pod of ours %s", async (_what, change) => {
    const [pod] = podsOf("laptop");
    const { spec } = pod as unknown as { spec: object };

    expect(await objectionsTo([{ ...pod, spec: { ...spec, ...change } } as unknown as Manifest])).toEqual([
      expect.stringMatching(/403 .*violates PodSecurity "restricted:latest"/),
    ]);
  });

  it("refuses a setting of an object that nobody knows", async () => {
    const [first] = renderInto(namespace, "laptop").filter(({ kind }) => kind === "PodDisruptionBudget");
    const { spec } = first as unknown as { spec: object };

    expect(await objectionsTo([{ ...first, spec: { ...spec, minAvailablee: 1 } } as unknown as Manifest])).toEqual([
      expect.stringContaining('unknown field "spec.minAvailablee"'),
    ]);
  });

  describe("with a release in it", () => {
    beforeAll(async () => {
      for (const object of renderInto(namespace, "laptop", nowhere)) {
        const path = await pathOf(object);
        if (path === undefined || object.kind === "Pod") continue;
        await api.must("PATCH", `${path}/${object.metadata.name}?fieldManager=helm`, object, "apply");
      }
    });

    const refusalsOf = async (objects: readonly Manifest[]): Promise<string[]> => {
      const refusals: string[] = [];
      for (const object of objects) {
        const path = await pathOf(object);
        if (path === undefined || object.kind === "Pod") continue;
        const query = "dryRun=All&fieldManager=helm&force=true";
        const answer = await api.call("PATCH", `${path}/${object.metadata.name}?${query}`, object, "apply");
        if (answer.status > 299) refusals.push(`${object.kind} ${object.metadata.name}: ${messageOf(answer)}`);
      }
      return refusals;
    };

    it.each(Object.entries(releaseChanges))("lets it be changed to %s", async (_what, set) => {
      expect(await refusalsOf(renderInto(namespace, "laptop", nowhere, ...set))).toEqual([]);
    });

    it("lets nobody change what is not to be changed", async () => {
      const objects = renderInto(namespace, "laptop", nowhere, "nameOverride=other", "fullnameOverride=corridor");

      expect((await refusalsOf(objects)).join()).toMatch(/Deployment corridor-payment: .*field is immutable/);
    });
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { laterChart } from "../../local/chart/release-changes";
import type { KubeObject } from "../../local/control-plane/kube-api";
import { askConsole, type Caller, openCaller, startLoad } from "./callers";
import type { HelmSaid } from "./cluster-release";
import type { Pod } from "./pod-files";
import { laterTag, openCluster, type ReleaseTestbed, startReleaseTestbed } from "./testbed";
import { untilTrue } from "./until";

interface Deployment extends KubeObject {
  spec: { replicas: number };
  status: { readyReplicas?: number };
}

const whole = openCluster().isWhole ? describe : describe.skip;
const longMs = 400_000;

/** Shows what Helm said where it did not do what was asked. */
const expectDone = ({ isGood, text }: HelmSaid): void => expect(isGood ? "" : text).toBe("");

whole("a release on a control plane", () => {
  const dir = mkdtempSync(join(tmpdir(), "corridor-charts-"));
  let testbed: ReleaseTestbed;
  let caller: Caller;
  /** A payment of the first release. */
  let paid: string;
  beforeAll(async () => {
    testbed = await startReleaseTestbed();
  });
  afterAll(async () => {
    await testbed?.stop();
    rmSync(dir, { recursive: true });
  });

  const path = (kind: string, group = "/api/v1"): string => `${group}/namespaces/${testbed.namespace}/${kind}`;
  const apps = "/apis/apps/v1";
  const pods = async (component?: string): Promise<Pod[]> => {
    const selector = component === undefined ? "" : `?labelSelector=app.kubernetes.io/component=${component}`;
    const found = await testbed.api.list<Pod>(`${path("pods")}${selector}`);
    return found.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.phase === "Running");
  };
  /** Which pods run, by name of component; a pod that is replaced has another name. */
  const running = async (...except: readonly string[]): Promise<string[]> =>
    (await pods())
      .filter(({ metadata }) => !except.includes(metadata.labels?.["app.kubernetes.io/component"] ?? ""))
      .map(({ metadata }) => metadata.name)
      .toSorted();

  /** Does something to the release while a tenant asks for rates and reads a payment, and returns what was lost. */
  async function underLoad(act: () => Promise<HelmSaid>): Promise<{ said: HelmSaid; sent: number; lost: string[] }> {
    const quote = {
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: "BRL",
      paymentMethod: "BANK_ACCOUNT",
      sourceCurrencyAmount: 100,
      destinationCountryCode: "BRA",
    };
    const load = startLoad([
      () => caller.send("POST", "/v2/foreign-exchange", quote),
      () => caller.send("GET", `/v2/payment/${paid}`),
    ]);
    const said = await act();
    return { said, ...(await load.stop()) };
  }

  /** Names of what the release has made and what that has made; Secrets are made by people. */
  async function objectsOfRelease(): Promise<string[]> {
    const groups: Readonly<Record<string, readonly string[]>> = {
      "/api/v1": ["pods", "services", "configmaps", "serviceaccounts", "persistentvolumeclaims"],
      [apps]: ["deployments", "replicasets"],
      "/apis/batch/v1": ["jobs", "cronjobs"],
      "/apis/rbac.authorization.k8s.io/v1": ["roles", "rolebindings"],
      "/apis/policy/v1": ["poddisruptionbudgets"],
      "/apis/networking.k8s.io/v1": ["networkpolicies"],
      "/apis/autoscaling/v2": ["horizontalpodautoscalers"],
    };
    const urls = Object.entries(groups).flatMap(([group, kinds]) => kinds.map((kind) => path(kind, group)));
    const query = "?labelSelector=app.kubernetes.io/instance=corridor";
    const lists = await Promise.all(urls.map((url) => testbed.api.list(`${url}${query}`)));
    return lists.flat().map(({ metadata }) => metadata.name);
  }

  it(
    "is installed: every pod is ready, every Job has ended",
    async () => {
      expectDone(await testbed.release.install());

      const deployments = await testbed.api.list<Deployment>(path("deployments", apps));
      expect(deployments).toHaveLength(10);
      expect(deployments.filter(({ spec, status }) => status.readyReplicas !== spec.replicas)).toEqual([]);
      caller = await openCaller(testbed);
      paid = await caller.pay();
    },
    longMs,
  );

  it(
    "pays, as `helm test` finds out",
    async () => {
      expectDone(await testbed.release.test());

      expect(testbed.nodes.run("corridor-test-payment").said()).toMatch(/^paid: release-test-[0-9a-f-]{36}$/m);
    },
    longMs,
  );

  it("shows the console's page, and lets nobody in without a session", async () => {
    const { page, refused } = await askConsole(testbed);

    expect(page).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    expect(page.policy).toContain("default-src 'none'");
    expect(refused.status).toBe(401);
  });

  it(
    "is upgraded to the same again without another pod",
    async () => {
      const before = await running();

      expectDone(await testbed.release.upgrade());

      expect(await running()).toEqual(before);
    },
    longMs,
  );

  it(
    "is given a newer chart without another pod, and without a lost request",
    async () => {
      const before = await running();
      const chart = laterChart(dir, "9.9.9-rc.1+build.20261122");

      const { said, lost } = await underLoad(() => testbed.release.upgrade([], chart));

      expectDone(said);
      expect(lost).toEqual([]);
      expect(await running()).toEqual(before);
    },
    longMs,
  );

  it(
    "replaces the pods of a service whose setting is another, and no other, without a lost request",
    async () => {
      const before = await running("gateway");
      const old = (await pods("gateway")).map(({ metadata }) => metadata.name);

      const set = ["services.gateway.env.LINKER_SEGMENT=other"];
      const { said, lost } = await underLoad(() => testbed.release.upgrade(set));

      expectDone(said);
      expect(lost).toEqual([]);
      expect(await running("gateway")).toEqual(before);
      await untilTrue(async () => (await pods("gateway")).every(({ metadata }) => !old.includes(metadata.name)));
    },
    longMs,
  );

  it(
    "replaces every pod by one of another image without a lost request",
    async () => {
      const before = await running();

      const { said, sent, lost } = await underLoad(() => testbed.release.upgrade([`image.tag=${laterTag}`]));

      expectDone(said);
      expect(lost).toEqual([]);
      expect(sent).toBeGreaterThan(50);
      await untilTrue(async () => (await running()).every((name) => !before.includes(name)));
      const images = (await pods()).map(({ spec }) => spec.containers[0]?.image);
      expect(new Set(images)).toEqual(new Set([`corridor:${laterTag}`]));
    },
    longMs,
  );

  it(
    "serves on when an image cannot be had, and is rolled back without a lost request",
    async () => {
      const revision = await testbed.release.revision();
      const before = await running("sandbox");

      const failed = await underLoad(() =>
        testbed.release.upgrade(["image.tag=9.9.9"], undefined, ["--wait", "--timeout", "20s"]),
      );
      const back = await underLoad(() => testbed.release.rollback(revision));

      expect(failed.said.isGood).toBe(false);
      expectDone(back.said);
      expect([...failed.lost, ...back.lost]).toEqual([]);
      expect(await running("sandbox")).toEqual(before);
    },
    longMs,
  );

  it(
    "is upgraded after a Job that has failed for good, as soon as its cause is gone",
    async () => {
      const authority = `${path("secrets")}/corridor-rpc-authority`;
      const kept = await testbed.api.must<{ data: object }>("GET", authority);
      const broken = { data: { "authorities.json": Buffer.from("[{}]").toString("base64") } };
      await testbed.api.must("PATCH", authority, broken, "merge");
      const before = await running();

      const set = [`image.tag=${laterTag}`, "rpcTls.days=29"];
      const failed = await underLoad(() => testbed.release.upgrade(set));
      await testbed.api.must("PATCH", authority, { data: kept.data }, "merge");
      const mended = await underLoad(() => testbed.release.upgrade(set));

      expect(failed.said).toMatchObject({ isGood: false, text: expect.stringMatching(/Job|job/) });
      expectDone(mended.said);
      expect([...failed.lost, ...mended.lost]).toEqual([]);
      expect(await running()).toEqual(before);
    },
    longMs,
  );

  it(
    "begins an autoscaler with the pods that run",
    async () => {
      const counts: number[] = [];
      const watching = new AbortController();
      const url = `${path("deployments", apps)}?fieldSelector=metadata.name=corridor-payment`;
      const watched = testbed.api.watch<Deployment>(url, watching.signal, ({ object }) => {
        counts.push(object.spec.replicas);
      });

      const set = [`image.tag=${laterTag}`, "services.payment.autoscaling.enabled=true"];
      expectDone(await testbed.release.upgrade(set));
      const scalers = path("horizontalpodautoscalers", "/apis/autoscaling/v2");
      interface Scaler extends KubeObject {
        status?: { conditions?: { type: string; status: string }[] };
      }
      await untilTrue(async () => {
        const [scaler] = await testbed.api.list<Scaler>(scalers);
        return scaler?.status?.conditions?.some(({ type, status }) => type === "AbleToScale" && status === "True");
      });
      watching.abort();
      await watched;

      expect(new Set(counts)).toEqual(new Set([2]));
    },
    longMs,
  );

  it(
    "leaves nothing but Secrets when it is uninstalled, and finds its payments when it is installed again",
    async () => {
      const id = await caller.pay();

      expectDone(await testbed.release.uninstall());
      // A Job of a revision that failed goes by itself, an hour after its end: here at once. What belongs to an object goes a
      // little later than the object.
      const jobs = path("jobs", "/apis/batch/v1");
      for (const { metadata, spec } of await testbed.api.list<KubeObject & { spec: object }>(jobs)) {
        expect(spec).toMatchObject({ ttlSecondsAfterFinished: 3_600 });
        await testbed.api.call("PATCH", `${jobs}/${metadata.name}`, { spec: { ttlSecondsAfterFinished: 0 } }, "merge");
      }
      await untilTrue(async () => (await objectsOfRelease()).join() === "corridor-test-payment");

      await testbed.freeStorage();
      expectDone(await testbed.release.install());
      for (const one of [paid, id])
        expect(await caller.send("GET", `/v2/payment/${one}`)).toMatchObject({
          status: 200,
          body: { status: "CAPTURED" },
        });
      await caller.pay();
    },
    longMs,
  );

  it("ends every process that it is told to end by itself, in its time", () => {
    const untidy = testbed.nodes.endings().filter(({ isAsked, code }) => isAsked && code !== 0);

    expect(untidy).toEqual([]);
    expect(testbed.nodes.endings().length).toBeGreaterThan(20);
  });
});

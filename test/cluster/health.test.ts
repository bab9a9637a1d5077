import type { KubeObject } from "../../local/control-plane/kube-api";
import { type Caller, openCaller, startLoad } from "./callers";
import type { Pod } from "./pod-files";
import { openCluster, type ReleaseTestbed, startReleaseTestbed } from "./testbed";
import { untilTrue } from "./until";

interface PodState extends Pod {
  status: {
    phase: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { restartCount: number; ready: boolean }[];
  };
}

const whole = openCluster().isWhole ? describe : describe.skip;
const longMs = 400_000;

whole("the pods of a release on a control plane", () => {
  let testbed: ReleaseTestbed;
  let caller: Caller;
  let paid: string;
  beforeAll(async () => {
    testbed = await startReleaseTestbed();
    const { isGood, text } = await testbed.release.install();
    if (!isGood) throw new Error(text);
    caller = await openCaller(testbed);
    paid = await caller.pay();
  }, longMs);
  afterAll(() => testbed?.stop());

  const path = (kind: string, group = "/api/v1"): string => `${group}/namespaces/${testbed.namespace}/${kind}`;
  const ofCluster = async (component: string): Promise<PodState[]> => {
    const url = `${path("pods")}?labelSelector=app.kubernetes.io/component=${component}`;
    return (await testbed.api.list<PodState>(url)).filter(({ metadata }) => !metadata.deletionTimestamp);
  };
  const isReady = ({ status }: PodState): boolean =>
    status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
  const restartsOf = async (component: string): Promise<number[]> =>
    (await ofCluster(component)).map(({ status }) => status.containerStatuses?.[0]?.restartCount ?? 0);
  const services = ["gateway", "auth", "schema", "fx", "payment", "wallet", "identity", "webhook"];
  const stored = services.filter((name) => name !== "gateway");
  const readOf = async (component: string): Promise<boolean[]> => (await ofCluster(component)).map(isReady);
  const areReady = async (): Promise<boolean> => (await Promise.all(services.map(readOf))).flat().every(Boolean);
  const scale = (component: string, replicas: number): Promise<unknown> =>
    testbed.api.must(
      "PATCH",
      path(`deployments/corridor-${component}`, "/apis/apps/v1"),
      { spec: { replicas } },
      "merge",
    );
  const readPayment = () => caller.send("GET", `/v2/payment/${paid}`);
  const askRate = () =>
    caller.send("POST", "/v2/foreign-exchange", {
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: "BRL",
      paymentMethod: "BANK_ACCOUNT",
      sourceCurrencyAmount: 100,
      destinationCountryCode: "BRA",
    });

  it(
    "are ready as gateways while a service is away, whose routes alone answer SYS_503",
    async () => {
      await scale("fx", 0);
      await untilTrue(async () => (await ofCluster("fx")).length === 0 && (await askRate()).status === 503);

      const [rate, payment] = [await askRate(), await readPayment()];
      // Longer than a probe that fails takes to be believed.
      const asked = Array.from({ length: 15 }, () => readPayment());
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
      expect(rate).toMatchObject({ status: 503, body: { code: "SYS_503" } });
      expect(rate.headers["retry-after"]).toBeDefined();
      expect(payment.status).toBe(200);
      expect(await readOf("gateway")).toEqual([true, true]);

      await scale("fx", 1);
      await untilTrue(areReady);
      await untilTrue(async () => (await askRate()).status === 200);
    },
    longMs,
  );

  it(
    "are not ready while their store is away, are not restarted, and serve within a minute once it is back",
    async () => {
      const store = testbed.store.process;
      if (store === undefined) return;
      await store.end("SIGKILL");
      await untilTrue(async () => (await Promise.all(stored.map(readOf))).flat().every((is) => !is));
      const refused = await readPayment();

      await store.start();
      const backMs = performance.now();
      await untilTrue(async () => (await areReady()) && (await readPayment()).status === 200);

      expect(performance.now() - backMs).toBeLessThan(60_000);
      expect(refused).toMatchObject({ status: 503, body: { code: "SYS_503" } });
      expect((await Promise.all(services.map(restartsOf))).flat().filter((count) => count > 0)).toEqual([]);
      await caller.pay();
    },
    longMs,
  );

  it(
    "leave a node one at a time, and no request is lost",
    async () => {
      const [node = ""] = testbed.nodes.names;
      await testbed.api.must("PATCH", `/api/v1/nodes/${node}`, { spec: { unschedulable: true } }, "merge");
      const load = startLoad([readPayment, readPayment]);
      const evict = (name: string) =>
        testbed.api.call("POST", path(`pods/${name}/eviction`), {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name, namespace: testbed.namespace },
        });
      const onNode = async (): Promise<Pod[]> =>
        (await testbed.api.list<Pod>(path("pods"))).filter(
          ({ spec, status }) => spec.nodeName === node && status?.phase === "Running",
        );
      const doubled = ["gateway", "payment"];
      for (const { metadata } of await onNode()) await evict(metadata.name);
      await untilTrue(async () => {
        for (const { metadata } of await onNode()) await evict(metadata.name);
        return (await onNode()).length === 0 && (await areReady());
      });
      const { sent, lost } = await load.stop();

      expect(lost).toEqual([]);
      expect(sent).toBeGreaterThan(20);
      // A caller that takes the second one before the first is replaced is asked to come again.
      for (const component of doubled) {
        const [one, other] = await ofCluster(component);
        const answers = [await evict(one?.metadata.name ?? ""), await evict(other?.metadata.name ?? "")];
        expect(answers.map(({ status }) => status)).toEqual([201, 429]);
        await untilTrue(async () => (await readOf(component)).length === 2 && (await areReady()));
      }
      await testbed.api.must("PATCH", `/api/v1/nodes/${node}`, { spec: { unschedulable: false } }, "merge");
    },
    longMs,
  );

  it(
    "have their certificate again after somebody has removed it, as soon as the Job has run",
    async () => {
      const secret = path("secrets/corridor-fx-rpc-tls");
      await testbed.api.must("DELETE", secret);
      interface CronJob extends KubeObject {
        spec: { jobTemplate: { spec: object } };
      }
      const cron = await testbed.api.must<CronJob>("GET", path("cronjobs/corridor-certificates", "/apis/batch/v1"));
      const job = {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "again" },
        spec: cron.spec.jobTemplate.spec,
      };
      await testbed.api.must("POST", path("jobs", "/apis/batch/v1"), job);

      await untilTrue(async () => (await testbed.api.call("GET", secret)).status === 200);
    },
    longMs,
  );

  it(
    "are taken from their Service and started again when they hang",
    async () => {
      const [pod] = await ofCluster("schema");
      const run = testbed.nodes.run(pod?.metadata.name ?? "");
      const hung = run.pid() ?? 0;
      process.kill(hung, "SIGSTOP");

      await untilTrue(async () => testbed.names.addressesOf("corridor-schema").length === 0);
      await untilTrue(async () => run.pid() !== hung && (await areReady()));

      expect(run.endings).toMatchObject([{ signal: "SIGKILL", isAsked: false }]);
      expect(await restartsOf("schema")).toEqual([1]);
      await caller.pay();
    },
    longMs,
  );
});

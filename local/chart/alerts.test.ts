import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { counter, gauge, makeMetrics } from "../../services/shared/process/metrics";
import { chartDir } from "./helm";
import { findPromtool } from "./promtool";

const found = findPromtool();
if ("why" in found) process.stderr.write(`SKIPPED: alerts are not checked, ${found.why}\n`);
const describeWithPromtool = "program" in found ? describe : describe.skip;

const rulesFile = resolve(chartDir, "alerts/corridor.yaml");
const rules = (parse(readFileSync(rulesFile, "utf8")) as { groups: { rules: { alert: string }[] }[] }).groups.flatMap(
  (group) => group.rules.map(({ alert }) => alert),
);
const services = ["gateway", "auth", "schema", "fx", "payment", "wallet", "identity", "webhook"];

type Labels = Readonly<Record<string, string>>;
interface Series {
  series: string;
  values: string;
}

const dir = mkdtempSync(join(tmpdir(), "corridor-alerts-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** The labels that the Prometheus operator gives a target of a ServiceMonitor. */
const targetLabels = (service: string): Labels => ({
  namespace: "corridor",
  service: `corridor-${service}`,
  pod: `corridor-${service}-0`,
  container: service,
  endpoint: "metrics",
  job: `corridor-${service}`,
  instance: "10.0.0.1:9464",
});

/** Returns a line of the text format as Prometheus stores it: labels of the target win, and ours of the same name are renamed. */
function scraped(line: string, service: string): { name: string; labels: Labels; value: string } | undefined {
  const [, name = "", own = "", value = ""] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === "") return undefined;
  const target = targetLabels(service);
  const labels: Record<string, string> = { ...target };
  for (const [, label = "", text = ""] of own.matchAll(/(\w+)="([^"]*)"/g)) {
    labels[label in target ? `exported_${label}` : label] = text;
  }
  return { name, labels, value };
}

const seriesOf = (name: string, labels: Labels, values: string): Series => ({
  series: `${name}{${Object.entries(labels)
    .map(([label, text]) => `${label}="${text}"`)
    .join(",")}}`,
  values,
});

/** All metrics of a healthy process, for half an hour. */
async function seriesOfProcess(service: string): Promise<Series[]> {
  const metrics = makeMetrics(service);
  counter(metrics, "corridor_consumed_messages_total", "Messages.", ["outcome"]).inc({ outcome: "parked" }, 0);
  gauge(metrics, "corridor_payments_overdue", "Overdue.", () => 0);
  gauge(metrics, "corridor_certificate_expires_seconds", "End.", () => 20 * 86_400);
  const text = await metrics.registry.metrics();
  return text.split("\n").flatMap((line) => {
    const one = scraped(line, service);
    const isAsked = one !== undefined && /^(corridor_|process_start|nodejs_eventloop_lag_p99)/.test(one.name);
    return isAsked ? [seriesOf(one.name, one.labels, `${one.value}x60`)] : [];
  });
}

const healthy = async (): Promise<Series[]> => (await Promise.all(services.map(seriesOfProcess))).flat();

/** Returns the alerts that fire after half an hour, with the service that each names. */
function firing(series: readonly Series[], expected: Readonly<Record<string, readonly string[]>>): string {
  const file = join(dir, "test.yaml");
  const checks = rules.map((alertname) => ({
    eval_time: "25m",
    alertname,
    exp_alerts: [] as object[],
  }));
  const test = { interval: "30s", input_series: series, alert_rule_test: checks };
  writeFileSync(file, stringify({ rule_files: [rulesFile], evaluation_interval: "30s", tests: [test] }));
  const said = spawnSync("program" in found ? found.program : "", ["test", "rules", file], { encoding: "utf8" });
  const text = `${said.stdout}${said.stderr}`;
  const fired = [...text.matchAll(/alertname: ?(\w+)|alertname="(\w+)"/g)].map(([, one, other]) => one ?? other ?? "");
  const seen = [...new Set(fired)].toSorted().join();
  return seen === Object.keys(expected).toSorted().join() &&
    Object.values(expected)
      .flat()
      .every((service) => text.includes(`corridor_service="${service}"`))
    ? seen
    : text || `nothing, and ended with ${said.status}`;
}

describeWithPromtool("alerts, checked by promtool over the series that Prometheus would have read", () => {
  it("are rules that it takes", () => {
    const said = spawnSync("program" in found ? found.program : "", ["check", "rules", rulesFile], {
      encoding: "utf8",
    });

    expect(said.stdout).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(said.status).toBe(0);
  });

  it("are silent on a healthy platform in a cluster", async () => {
    expect(firing(await healthy(), {})).toBe("");
  });

  it.each(services)("name %s when Prometheus reads no process of it", async (service) => {
    const rest = (await healthy()).filter(({ series }) => !series.includes(`corridor_service="${service}"`));

    expect(firing(rest, { CorridorServiceGone: [service] })).toBe("CorridorServiceGone");
  });

  const changed = async (name: string, service: string, values: string): Promise<Series[]> => {
    const all = await healthy();
    return all.map((one) => {
      const isIt = one.series.startsWith(`${name}{`) && one.series.includes(`corridor_service="${service}"`);
      return isIt ? { ...one, values } : one;
    });
  };

  it.each([
    ["CorridorStoreSilent", "corridor_figures_age_seconds", "0x20 100+30x40"],
    ["CorridorMessagesParked", "corridor_consumed_messages_total", "0x35 1x30"],
    ["CorridorCertificateEnds", "corridor_certificate_expires_seconds", "300000x60"],
    ["CorridorPaymentsOverdue", "corridor_payments_overdue", "0x20 1x40"],
  ])("fire: %s", async (alert, metric, values) => {
    const series = await changed(metric, "payment", values);

    expect(firing(series, { [alert]: alert === "CorridorPaymentsOverdue" ? [] : ["payment"] })).toBe(alert);
  });

  /** A counter of a process that grows by a given amount each half minute. */
  const counted = (name: string, service: string, labels: Labels, each: number): Series =>
    seriesOf(name, { ...targetLabels(service), corridor_service: service, ...labels }, `0+${each}x60`);
  const requests = (status: string, each: number, route = "POST /v2/payment"): Series =>
    counted("corridor_http_request_duration_seconds_count", "gateway", { route, status }, each);
  const timed = (name: string, service: string, le: string, [inTime, all]: readonly [number, number]): Series[] => [
    counted(`${name}_bucket`, service, { le }, inTime),
    counted(`${name}_bucket`, service, { le: "+Inf" }, all),
    counted(`${name}_count`, service, {}, all),
  ];
  const others = requests("200", 100_000, "GET /schema/{country}");
  const final = (inTime: number): Series[] =>
    timed("corridor_payment_final_seconds", "payment", "300", [inTime, 1_000]);
  const delivered = (inTime: number, le = "60"): Series[] =>
    timed("corridor_webhook_lag_seconds", "webhook", le, [inTime, 1_000]);

  it.each([
    ["all promises are kept", [requests("200", 10_000), requests("503", 9), ...final(991)], ""],
    [
      "one payment in fifty is refused",
      [requests("200", 980), requests("503", 20)],
      "AcceptBudgetBurnsFast,AcceptBudgetBurnsSlowly",
    ],
    ["one payment in a hundred is refused", [requests("200", 990), requests("503", 10)], "AcceptBudgetBurnsSlowly"],
    ["a fifth of payments is late", final(800), "FinalBudgetBurnsFast,FinalBudgetBurnsSlowly"],
    ["a tenth of payments is late", final(900), "FinalBudgetBurnsSlowly"],
    ["nothing is paid or delivered", [], ""],
  ])("count the budgets of promises: %s", async (_words, series, expected) => {
    const names = expected.split(",").flatMap((name) => (name === "" ? [] : `Corridor${name}`));

    const fired = firing(
      [...(await healthy()), others, ...series],
      Object.fromEntries(names.map((name) => [name, []])),
    );

    expect(fired).toBe(names.join());
  });

  it("count webhooks that are late, whichever way Prometheus writes a bound", async () => {
    const expected = {
      CorridorWebhookBudgetBurnsFast: [],
      CorridorWebhookBudgetBurnsSlowly: [],
    };

    for (const le of ["60", "60.0"]) {
      const series = [...(await healthy()), ...delivered(800, le)];
      expect(firing(series, expected)).toBe(Object.keys(expected).toSorted().join());
    }
    // Half an hour with one late webhook in a hundred is within the budget, and only a line on the dashboard.
    const barely = [...(await healthy()), ...delivered(991)];
    expect(firing(barely, {})).toBe("");
  });
});

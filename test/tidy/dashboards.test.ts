import { parser } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";
import { filesIn, placesOf, platformCode, textOf } from "./tree";

interface Query {
  at: string;
  expression: string;
}

interface Panel {
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string }[];
}

interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const dashboards = filesIn("charts/corridor/dashboards").map((path) => JSON.parse(textOf(path)) as Dashboard);
const rules = filesIn("charts/corridor/alerts").flatMap((path) =>
  (parse(textOf(path)) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules),
);
const queries: Query[] = [
  ...dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      panel.targets.map(({ expr }) => ({
        at: `${title}, ${panel.title}`,
        // Grafana puts a duration in its place.
        expression: expr.replaceAll("$__rate_interval", "5m"),
      })),
    ),
  ),
  ...rules.map(({ alert, expr }) => ({ at: alert, expression: expr })),
];

/** Every selector of an expression, with its metric and its labels. */
function selectorsOf(expression: string): { metric: string; labels: Record<string, string> }[] {
  const found: { metric: string; labels: Record<string, string> }[] = [];
  parser.parse(expression).iterate({
    enter({ name, node, from, to }) {
      if (name !== "VectorSelector") return;
      const text = expression.slice(from, to);
      const labels: Record<string, string> = {};
      for (const matcher of node
        .getChildren("LabelMatchers")
        .flatMap((list) => list.getChildren("UnquotedLabelMatcher"))) {
        const [, label = "", value = ""] =
          /^(\w+)\s*(?:=~|!~|!=|=)\s*"(.*)"$/.exec(expression.slice(matcher.from, matcher.to)) ?? [];
        labels[label] = value;
      }
      found.push({ metric: /^\w+/.exec(text)?.[0] ?? "", labels });
    },
  });
  return found;
}

/** Labels that a selection is grouped by, and those that a legend shows. */
const groupedBy = (expression: string): string[] =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((label) => label.trim()),
  );

/** Our metrics with the labels that the code gives them, and those of the process. */
function metricsOfCode(): Map<string, Set<string>> {
  const code = platformCode()
    .filter((path) => placesOf(/"corridor_/, [path]).length > 0)
    .map(textOf)
    .join("\n");
  const known = new Map<string, Set<string>>();
  for (const [, name = "", rest = ""] of code.matchAll(
    /"(corridor_\w+)",([^;]*?)(?:;|read|registers|buckets|\(\) =>)/gs,
  )) {
    const [, labels = ""] = /\[([^\]]*)\]/.exec(rest) ?? [];
    known.set(name, new Set([...labels.matchAll(/"(\w+)"/g)].map(([, label = ""]) => label)));
  }
  return known;
}

const common = ["corridor_service", "pod", "le"];
const ofNode = /^(process_start_time_seconds|process_cpu_seconds_total|process_resident_memory_bytes|nodejs_\w+)$/;
const nameOf = (metric: string): string => metric.replace(/_(bucket|count|sum)$/, "");

describe("dashboards and alerts", () => {
  const known = metricsOfCode();

  it("ask in PromQL", () => {
    const wrong = queries.filter(({ expression }) => {
      let isWrong = false;
      parser.parse(expression).iterate({
        enter(node) {
          isWrong ||= node.type.isError;
        },
      });
      return isWrong;
    });

    expect(queries.length).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
  });

  it("ask for metrics that the code has, by labels that it gives them", () => {
    const wrong = queries.flatMap(({ at, expression }) => {
      const selectors = selectorsOf(expression);
      const unknown = selectors.filter(({ metric }) => !ofNode.test(metric) && !known.has(nameOf(metric)));
      const labels = new Set(selectors.flatMap(({ metric }) => [...(known.get(nameOf(metric)) ?? [])]));
      const strange = [
        ...groupedBy(expression),
        ...selectors.flatMap((selector) => Object.keys(selector.labels)),
      ].filter((label) => !labels.has(label) && !common.includes(label));
      return [...unknown.map(({ metric }) => `${at}: ${metric}`), ...strange.map((label) => `${at}: label ${label}`)];
    });

    expect(wrong).toEqual([]);
  });

  it("name services, methods and states that exist", () => {
    const services = new Set(filesIn("services").map((path) => path.split("/")[1] ?? ""));
    const wires = filesIn("proto/corridor").map((path) => [path.split("/")[2] ?? "", textOf(path)] as const);
    const methods = new Set(
      wires.flatMap(([area, text]) =>
        [...text.matchAll(/^service (\w+) \{(.*?)^\}/gms)].flatMap(([, service = "", body = ""]) =>
          [...body.matchAll(/rpc (\w+)/g)].map(([, method = ""]) => `corridor.${area}.v1.${service}/${method}`),
        ),
      ),
    );
    const states = textOf("services/shared/kernel/transaction-states.ts");
    const strange = queries.flatMap(({ at, expression }) =>
      selectorsOf(expression).flatMap(({ labels }) =>
        [
          ...[labels["corridor_service"] ?? ""].filter(
            (name) => name !== "" && name !== "gateway" && !services.has(name),
          ),
          ...[labels["method"] ?? ""].filter((name) => name !== "" && !methods.has(name)),
          ...(labels["state"] ?? "").split("|").filter((name) => name !== "" && !states.includes(`"${name}"`)),
        ].map((name) => `${at}: ${name}`),
      ),
    );

    expect(strange).toEqual([]);
  });

  it("show every metric of ours somewhere", () => {
    const shown = new Set(
      queries.flatMap(({ expression }) => selectorsOf(expression)).map(({ metric }) => nameOf(metric)),
    );

    expect([...known.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it("have panels beside each other, one name each", () => {
    for (const { panels } of dashboards) {
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    }
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  });
});

describe("alerts", () => {
  const sections = new Set(
    [...textOf("docs/runbook.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    ),
  );

  it("say how bad it is, and name a section of the runbook that exists", () => {
    const wrong = rules.filter(({ labels, annotations }) => {
      const [, section = ""] = /^docs\/runbook\.md#(.+)$/.exec(annotations["runbook_url"] ?? "") ?? [];
      return (
        !sections.has(section) || !["critical", "warning"].includes(labels["severity"] ?? "") || !annotations["summary"]
      );
    });

    expect(rules.length).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it("watch every process", () => {
    const gone = rules.find(({ alert }) => alert === "CorridorServiceGone")?.expr ?? "";
    const services = filesIn("services").flatMap((path) => /^services\/(\w+)\/main\.ts$/.exec(path)?.[1] ?? []);

    expect([...services, "gateway"].filter((name) => !gone.includes(`corridor_service="${name}"`))).toEqual([]);
  });
});

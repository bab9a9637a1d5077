import { parse } from "yaml";
import { filesIn, textOf } from "./tree";

interface ChartService {
  isPlatform?: boolean;
  port?: { variable: string };
  sidePort?: { variable: string };
  calls?: string[];
  env?: Record<string, string>;
  secretFiles?: Record<string, string>;
  secretEnv?: Record<string, string>;
}

interface ChartValues {
  env: Record<string, string>;
  serviceDefaults: ChartService & { port: { variable: string } };
  services: Record<string, ChartService>;
}

/** Settings that only the local profile reads; the chart has no such profile. */
const localOnly: Readonly<Record<string, string>> = {
  CLOCK_URL: "the sandbox world's clock",
  CONSOLE_DIR: "pages that somebody is building",
  GATEWAY_PORT: "plain HTTP",
  WEBHOOK_CA_FILE: "deliveries to an authority of this machine",
};

const values = parse(textOf("charts/corridor/values.yaml")) as ChartValues;
const keysIn = (source: string): string[] =>
  [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, key = ""]) => key);

/** The text of one exported object of runtime.ts. */
function objectIn(source: string, name: string): string {
  const [, body] = new RegExp(`export const ${name} = \\{\\n(.*?)^\\};`, "ms").exec(source) ?? [];
  if (body === undefined) throw new Error(`runtime.ts has no ${name}`);
  return body;
}

const runtimeSource = textOf("services/shared/process/runtime.ts");
const runtimeKeys = keysIn(objectIn(runtimeSource, "runtimeSettings"));
const serviceKeys = [...runtimeKeys, ...keysIn(objectIn(runtimeSource, "serviceSettings"))];
const busKeys = keysIn(objectIn(runtimeSource, "busSettings"));

const configs = filesIn("services", "gateway").filter((path) =>
  /^(services\/(?!shared)\w+|gateway)\/config\.ts$/.test(path),
);
const processes = configs.map((path) => {
  const source = textOf(path);
  const folder = path.replace(/\/config\.ts$/, "");
  const shared = [
    ...(source.includes("serviceSettings") ? serviceKeys : runtimeKeys),
    ...(source.includes("busSettings") ? busKeys : []),
  ];
  return { name: folder.replace("services/", ""), folder, own: keysIn(source), shared };
});

/** A program that runs as several Deployments, each with some of its doors. */
const deployments: Readonly<Record<string, readonly string[]>> = { gateway: ["gateway", "console"] };
const deploymentsOf = (name: string): readonly string[] => deployments[name] ?? [name];

/** What the chart's templates set for every service, or make of its values. */
function chartKeys(name: string): string[] {
  const service = { ...values.serviceDefaults, ...values.services[name] };
  const made = [...textOf("charts/corridor/templates/_helpers.tpl").matchAll(/"([A-Z][A-Z0-9_]+)"/g)];
  return [
    // Node itself reads the authorities.
    ...made.map(([, key = ""]) => key).filter((key) => key !== "NODE_EXTRA_CA_CERTS"),
    service.port.variable,
    ...(service.sidePort === undefined ? [] : [service.sidePort.variable]),
    ...(service.calls ?? []).map((callee) => `${callee.toUpperCase()}_TARGET`),
    ...[values.env, service.env, service.secretFiles, service.secretEnv].flatMap((part) => Object.keys(part ?? {})),
  ];
}

/** Names of variables in the first column of a table. */
const documentedIn = (path: string): string[] =>
  [...textOf(path).matchAll(/^\| (`[A-Z][A-Z0-9_]{3,}`[^|]*)\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, key = ""]) => key),
  );

describe("the settings of every process", () => {
  it("are found for all of them", () => {
    const inChart = Object.entries(values.services).filter(([, { isPlatform }]) => isPlatform !== false);

    expect(processes.flatMap(({ name }) => deploymentsOf(name)).toSorted()).toEqual(
      inChart.map(([name]) => name).toSorted(),
    );
    expect(runtimeKeys).toContain("PROFILE");
    expect(serviceKeys).toContain("MONGODB_URI");
  });

  it.each(processes)("are those of the chart: $name", ({ name, own, shared }) => {
    const read = [...own, ...shared].filter((key) => localOnly[key] === undefined);

    expect([...new Set(deploymentsOf(name).flatMap(chartKeys))].toSorted()).toEqual(read.toSorted());
  });

  it.each(processes)("are in its README, and no other: $name", ({ folder, own, shared }) => {
    const documented = documentedIn(`${folder}/README.md`);

    expect(own.filter((key) => !documented.includes(key))).toEqual([]);
    expect(documented.filter((key) => !own.includes(key) && !shared.includes(key))).toEqual([]);
  });

  it("are in docs/settings.md where all processes share them", () => {
    expect(documentedIn("docs/settings.md").toSorted()).toEqual([...serviceKeys, ...busKeys].toSorted());
  });

  it("are read where the chart leaves them out for a reason", () => {
    const read = processes.flatMap(({ own, shared }) => [...own, ...shared]);

    expect(Object.keys(localOnly).filter((key) => !read.includes(key))).toEqual([]);
  });
});

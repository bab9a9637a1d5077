import { writeFileSync } from "node:fs";
import { type OperatorRoute, operatorRoutes } from "../../sdk/src/operator.ts";
import { type CommandRow, type Given, type Option, shown, textOf, wordOf } from "../command.ts";
import { parseWith } from "../context.ts";
import { Usage } from "../failures.ts";
import { dropSession, openOperator } from "./access.ts";
import type { Command } from "./curated.ts";
import { curatedCommands } from "./curated-commands.ts";
import { logInOperator, wayOf, wayOptions } from "./log-in.ts";

const common: readonly Option[] = [
  { flags: "--approval <id>", does: "a command that a second operator has been asked to approve" },
  { flags: "--second", does: "as the second operator of the local platform" },
];
const outOption: Option = { flags: "--out <path>", does: "write the file that is answered here" };

const shapeOf = (path: string): string => path.split("?")[0]?.replaceAll(/\{\w+\}/g, "{}") ?? "";
const namesIn = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Returns the route of a path template, whatever its parameters are called. */
function routeOf(method: string, path: string): OperatorRoute {
  const route = operatorRoutes.find(({ name }) => {
    const [own, template = ""] = name.split(" ");
    return own === method && shapeOf(template) === shapeOf(path);
  });
  if (route === undefined) throw new Error(`the operator API has no ${method} ${path}`);
  return route;
}

/** Returns the route of a path with its parameters filled in. Literal words win over parameters. */
export function matchRoute(method: string, path: string): { route: OperatorRoute; params: Record<string, string> } {
  const parts = path.split("/");
  const fits = (route: OperatorRoute): boolean => {
    const [own, template = ""] = route.name.split(" ");
    const wanted = template.split("/");
    const isSame = (part: string, at: number): boolean =>
      /^\{\w+\}$/.test(part) ? parts[at] !== "" : part === parts[at];
    return own === method && wanted.length === parts.length && wanted.every(isSame);
  };
  const [route] = operatorRoutes.filter(fits).toSorted((a, b) => namesIn(a.name).length - namesIn(b.name).length);
  if (route === undefined)
    throw new Usage(`the operator API has no ${method} ${path}; corridor operator routes lists them`);
  const template = route.name.split(" ")[1]?.split("/") ?? [];
  const params = template.flatMap((part, at) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, decodeURIComponent(parts[at] ?? "")]];
  });
  return { route, params: Object.fromEntries(params) as Record<string, string> };
}

interface Sent {
  readonly name: string;
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body?: object | undefined;
}

async function send(given: Given, { name, params, query, body }: Sent): Promise<unknown> {
  const { signal, out } = given.context;
  const approval = textOf(given, "approval");
  const operator = openOperator(given.context, { isSecond: given.options["second"] === true });
  const input = { params, query, ...(body === undefined ? {} : { body }) };
  const answer = await operator.request(name, input, { signal, ...(approval === undefined ? {} : { approval }) });
  if (out.format === "csv" || out.format === "jsonl") return answer;
  if (!(answer instanceof Uint8Array)) {
    // Answers to operators are more often read by programs than by people, and have nested members.
    out.print(JSON.stringify(answer ?? {}, null, 2));
    return shown;
  }
  const file = textOf(given, "out");
  if (file === undefined) throw new Usage("the answer is a file: say where it goes with --out");
  writeFileSync(file, answer, { mode: 0o600 });
  out.say(`${answer.length} bytes`);
  return shown;
}

function rowOf(name: string, command: Command): CommandRow {
  const { words, optional, does, method, path } = command;
  const route = routeOf(method, path);
  const isFile = path.endsWith("/content");
  return {
    words: `operator ${name}`,
    does: `${does.charAt(0).toUpperCase()}${does.slice(1)}.`,
    args: [
      ...words.map((word) => ({ name: word, does: describe(route, word) })),
      ...(optional === undefined ? [] : [{ name: optional, does: describe(route, optional), isOptional: true }]),
    ],
    options: [...common, ...(isFile ? [outOption] : [])],
    ...(method === "GET" ? { isList: true } : { changes: true }),
    example: ["operator", name, ...words.map((word) => exampleOf(word)), ...(isFile ? ["--out scan.pdf"] : [])].join(
      " ",
    ),
    run(given) {
      const template = route.name.split(" ")[1] ?? "";
      const mine = namesIn(path);
      const params = namesIn(template).map((own, at) => [own, wordOf(given, mine[at] ?? "")]);
      const asked = new URLSearchParams(path.split("?")[1] ?? "");
      // Words of a read command that are not in its path become the query.
      const others = Object.entries(given.words).filter(([word]) => !mine.includes(word));
      return send(given, {
        name: route.name,
        params: Object.fromEntries(params) as Record<string, string>,
        query: { ...Object.fromEntries(asked), ...(method === "GET" ? Object.fromEntries(others) : {}) },
        body: command.body?.(given.words),
      });
    },
  };
}

const describe = ({ query, members }: OperatorRoute, word: string): string =>
  [...query, ...members].find(({ name }) => name === word)?.does ??
  `the ${word.replaceAll(/[A-Z]/g, (one) => ` ${one.toLowerCase()}`)}`;

const exampleOf = (word: string): string =>
  word === "tenant" ? "demo" : word.replaceAll(/[A-Z]/g, (one) => `-${one}`).toUpperCase();

const pageSize = 500;

/** Commands of operators: those with their own words, and one that reaches every route. */
export const operatorCommands: readonly CommandRow[] = [
  ...Object.entries(curatedCommands).map(([name, command]) => rowOf(name, command)),
  {
    words: "operator call",
    does: "Call any route of the operator API; corridor operator routes lists them.",
    args: [
      { name: "method", does: "GET, POST, PUT, PATCH or DELETE" },
      { name: "path", does: "with its parameters filled in, and a query if it has one" },
    ],
    options: [{ flags: "--body <path>", does: "a file with the JSON that is sent, - for stdin" }, outOption, ...common],
    changes: true,
    isList: true,
    example: 'operator call GET "/cases?limit=5"',
    async run(given) {
      const [path = "", query = ""] = wordOf(given, "path").split("?");
      const { route, params } = matchRoute(wordOf(given, "method").toUpperCase(), path);
      const file = textOf(given, "body");
      const body = file === undefined ? undefined : await readPlain(given, file);
      const asked = Object.fromEntries(new URLSearchParams(query)) as Record<string, string>;
      return send(given, { name: route.name, params, query: asked, body });
    },
  },
  {
    words: "operator routes",
    does: "List every route of the operator API with what it takes.",
    args: [{ name: "word", does: "only those with this word", isOptional: true }],
    columns: ["route", "does", "query", "body"],
    isList: true,
    example: "operator routes cases",
    run({ words: { word = "" } }) {
      const rows = operatorRoutes.map(({ name, tag, does, query, members }) => ({
        route: name,
        does,
        tag,
        query: query.map(shortOf).join(" "),
        body: members.map(shortOf).join(" "),
      }));
      const wanted = word.toLowerCase();
      return Promise.resolve(
        rows.filter(({ route, does, tag }) => `${route} ${does} ${tag}`.toLowerCase().includes(wanted)),
      );
    },
  },
  {
    words: "operator audit export",
    does: "Print every record of the audit log, one per line.",
    options: common,
    example: "operator audit export > audit.jsonl",
    async run(given) {
      const { call } = openOperator(given.context, { isSecond: given.options["second"] === true });
      // A page that is not full is the last: reading the log is itself recorded.
      for (let after = 0; ; ) {
        const { records } = await call("GET /audit", { query: { after, limit: pageSize } });
        for (const record of records) given.context.out.print(JSON.stringify(record));
        const last = records.at(-1);
        if (last === undefined || records.length < pageSize) return shown;
        after = last.sequence;
      }
    },
  },
  {
    words: "operator login",
    does: "Log in at the identity provider, with a browser or a code.",
    options: wayOptions(),
    example: "operator login",
    run: (given) => logInOperator(given.context, wayOf(given)),
  },
  {
    words: "operator logout",
    does: "End the session.",
    example: "operator logout",
    async run({ context }) {
      await openOperator(context).call("DELETE /session");
      dropSession(context.env);
      return { loggedOut: true };
    },
  },
];

const shortOf = ({ name, isRequired }: { name: string; isRequired: boolean }): string =>
  isRequired ? name : `[${name}]`;

/** A body as it was written: amounts of operators are texts, and nothing is converted. */
async function readPlain(given: Given, file: string): Promise<object> {
  const body = parseWith(JSON.parse, file, await given.context.readText(file));
  if (typeof body !== "object" || body === null) throw new Usage(`${file} is no JSON object`);
  return body;
}

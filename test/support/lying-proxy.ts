import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";

/** An answer in place of the true one; `{reference}` is replaced by the call's reference. */
interface Instead {
  isExecuted: boolean;
  status: number;
  body: string;
}

const instead = {
  "500 though done": { isExecuted: true, status: 500, body: '{"error":"internal"}' },
  "502 though done": { isExecuted: true, status: 502, body: "<html>Bad Gateway</html>" },
  "empty though done": { isExecuted: true, status: 200, body: "" },
  "404 though done": { isExecuted: true, status: 404, body: '{"error":"not_found","reference":"{reference}"}' },
  "400": { isExecuted: false, status: 400, body: '{"error":"invalid_request"}' },
  "401": { isExecuted: false, status: 401, body: '{"error":"unauthorized"}' },
  "403": { isExecuted: false, status: 403, body: "<html>Forbidden</html>" },
  "404": { isExecuted: false, status: 404, body: '{"error":"not_found"}' },
  "404 of its own": { isExecuted: false, status: 404, body: '{"error":"not_found","reference":"{reference}"}' },
  "404 of another": { isExecuted: false, status: 404, body: '{"error":"not_found","reference":"another"}' },
  "409": { isExecuted: false, status: 409, body: '{"error":"reference_conflict"}' },
  "422": { isExecuted: false, status: 422, body: '{"error":"amount_too_high"}' },
  "425": { isExecuted: false, status: 425, body: "" },
  "429": { isExecuted: false, status: 429, body: '{"error":"slow_down"}' },
  "503": { isExecuted: false, status: 503, body: "" },
} as const satisfies Record<string, Instead>;

const changes = ["other amount", "other currency", "other reference"] as const;

/** Faults of a call of a provider on its way, executed or not. */
export const lies = [
  ...(Object.keys(instead) as (keyof typeof instead)[]),
  ...changes,
  ...(["lost", "silent", "slow", "half", "twice", "again later"] as const),
  ...(["reset", "only later", "answer of another", "answer of before"] as const),
] as const;
export type Lie = (typeof lies)[number];

/** Faults of a callback on its way. */
export const slips = ["swallowed", "refused", "doubled", "overtaken", "altered"] as const;
export type Slip = (typeof slips)[number];

/** A proxy between the platform and its providers that applies to each call the fault that its test chooses. */
export interface LyingProxy {
  url: string;
  /** How often each fault happened. */
  told: ReadonlyMap<string, number>;
  /** Number of calls in flight. */
  underWay(): number;
  stop(): Promise<void>;
}

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

/** Forwards calls to the other side, at once or later, and remembers the answers. */
interface Way {
  pass(call: Call): Promise<Answer>;
  /** After a while, every waiting call is released. */
  passLater(call: Call): void;
  /** An earlier answer to a call of the same kind, about the same or about another reference. */
  before(call: Call, isSame: boolean): Answer | undefined;
}

/** Longer than the platform waits for an answer, and much longer. */
const [slowMs, silentMs, laterMs] = [1_000, 3_000, 8_000];
const heard: Answer = { status: 204, type: "text/plain", body: "" };

export async function startLyingProxy(
  url: string,
  choose: (method: string, path: string) => Lie | Slip | undefined,
): Promise<LyingProxy> {
  const agent = new Agent({ connections: 128 });
  const told = new Map<string, number>();
  const way = { ...openWay(url, agent), waiting: 0 };
  const passLater = (call: Call): void => {
    way.waiting += 1;
    void delay(laterMs)
      .then(() => way.pass(call))
      .catch(() => undefined)
      .finally(() => {
        way.waiting -= 1;
      });
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const call = await read(incoming);
    const lie = choose(call.method, call.path);
    if (lie !== undefined) told.set(lie, (told.get(lie) ?? 0) + 1);
    const answer = await (lie === undefined ? way.pass(call) : tell(lie, call, { ...way, passLater }));
    if (answer === undefined) outgoing.destroy();
    else outgoing.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
  };
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    underWay: () => way.waiting,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.destroy();
    },
  };
}

/** Returns the caller's answer; undefined: its connection ends. */
async function tell(lie: Lie | Slip, call: Call, { pass, passLater, before }: Way): Promise<Answer | undefined> {
  switch (lie) {
    case "lost":
      await pass(call);
      return undefined;
    case "silent":
      await pass(call);
      await delay(silentMs);
      return undefined;
    case "slow":
      await delay(slowMs);
      return pass(call);
    case "half": {
      const whole = await pass(call);
      return { ...whole, body: whole.body.slice(0, whole.body.length / 2) };
    }
    case "twice":
    case "doubled":
      return (await Promise.all([pass(call), pass(call)]))[1];
    case "again later":
      passLater(call);
      return pass(call);
    case "only later":
      passLater(call);
      return undefined;
    case "reset":
      return undefined;
    case "answer of another":
      return before(call, false);
    case "answer of before":
      return call.method === "GET" ? (before(call, true) ?? pass(call)) : pass(call);
    case "swallowed":
      return heard;
    case "refused":
      return { ...heard, status: 503 };
    case "overtaken":
      // Its provider believes that the callback was delivered, so its next report arrives first.
      passLater(call);
      return heard;
    case "altered":
      await pass({ ...call, body: Buffer.from(call.body.toString().replace(/"amount":"\d/, '"amount":"9')) });
      return heard;
    case "other amount":
    case "other currency":
    case "other reference": {
      const truth = await pass(call);
      return { ...truth, body: changed(truth.body, lie) };
    }
    default: {
      const { isExecuted, status, body } = instead[lie];
      if (isExecuted) await pass(call);
      return { status, type: "application/json", body: body.replace("{reference}", referenceOf(call)) };
    }
  }
}

const kept = 20;

function openWay(url: string, agent: Agent): Pick<Way, "pass" | "before"> {
  const said = new Map<string, { path: string; answer: Answer }[]>();
  return {
    async pass({ method, path, headers, body }) {
      const response = await request(`${url}${path}`, {
        method: method as "GET",
        headers,
        dispatcher: agent,
        ...(body.length === 0 ? {} : { body }),
      });
      const type = String(response.headers["content-type"] ?? "application/json");
      const answer = { status: response.statusCode, type, body: await response.body.text() };
      const kind = kindOf({ method, path });
      said.set(kind, [...(said.get(kind) ?? []).slice(1 - kept), { path, answer }]);
      return answer;
    },
    before: (call, isSame) => said.get(kindOf(call))?.find(({ path }) => (path === call.path) === isSame)?.answer,
  };
}

async function read(incoming: IncomingMessage): Promise<Call> {
  const { method = "GET", url: path = "/", headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const passed = Object.entries(headers).filter(
    ([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name),
  );
  return { method, path, headers: Object.fromEntries(passed) as Record<string, string>, body: Buffer.concat(chunks) };
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** Calls of one kind differ in their references. */
const kindOf = ({ method, path }: Pick<Call, "method" | "path">): string => `${method} ${path.replace(uuid, "*")}`;

/** The call's own reference, or that of its order. */
const referenceOf = ({ body, path }: Call): string =>
  /"reference":"([^"]+)"/.exec(body.toString())?.[1] ?? uuid.exec(path)?.[0] ?? "";

function changed(body: string, change: (typeof changes)[number]): string {
  switch (change) {
    case "other amount":
      return body.replace(/"amount":"\d+/g, (found) => `"amount":"${Number(found.slice(10)) + 1}`);
    case "other currency":
      return body.replace(/"currency":"[A-Z]{3}"/g, '"currency":"CHF"');
    case "other reference":
      return body.replace(/"reference":"/g, '"reference":"other-');
  }
}

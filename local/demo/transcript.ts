import { type Dispatcher, request } from "undici";

/** A failed step of the demo. */
class DemoFailure extends Error {}

/** Throws with the expectation when a step fails it. */
export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new DemoFailure(`expected ${what}`);
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body as an object; empty when it is not a JSON object. */
  json: Record<string, unknown>;
}

export interface Call {
  method: Dispatcher.HttpMethod;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The expected status. */
  status: number;
  /** The part of the answer that the transcript shows. */
  say(answer: Answer): string;
}

/** A field of the answer's body, as text. */
export const text = (answer: Answer, field: string): string => String(answer.json[field]);

export const json = { "content-type": "application/json" };

export type Caller = (call: Call) => Promise<Answer>;

const column = (text: string, width: number): string => text.padEnd(width);

/** Calls an API and prints one line per call: the call, its status and time, and its meaning. */
export function makeCaller(baseUrl: string, common: Record<string, string>): Caller {
  return async ({ method, path, headers, body, status, say }) => {
    const startMs = performance.now();
    const response = await request(`${baseUrl}${path}`, {
      method,
      headers: { accept: "application/json", ...common, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    const ms = `${Math.round(performance.now() - startMs)} ms`;
    const answer = { status: response.statusCode, headers: response.headers, text, json: objectOf(text) };
    const isRight = response.statusCode === status;
    line(`${method} ${path}`, response.statusCode, ms, isRight ? say(answer) : text.slice(0, 400));
    expect(isRight, `HTTP ${status} from ${method} ${path}`);
    return answer;
  };
}

/** Prints one line of the transcript. */
export function line(what: string, status: number | string, time: string, note: string): void {
  console.log(`  ${column(what, 46)} ${column(String(status), 5)} ${time.padStart(8)}   ${note}`);
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

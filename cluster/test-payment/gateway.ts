import { Agent, request } from "undici";
import type { TestPaymentConfig } from "./config";

export interface Answer {
  status: number;
  json: Readonly<Record<string, unknown>>;
}

/** The REST API as its callers see it. */
export interface Gateway {
  post(path: string, body: URLSearchParams | object, bearer?: string): Promise<Answer>;
  get(path: string, bearer?: string): Promise<Answer>;
  stop(): Promise<void>;
}

const timeoutMs = 10_000;

/** Opens the gateway at its address inside the cluster and verifies its certificate against its public name. */
export function openGateway(config: TestPaymentConfig): Gateway {
  const { TEST_GATEWAY_URL: url, TEST_SERVER_NAME: servername, TEST_CA_FILE: ca } = config;
  const dispatcher = new Agent({ connect: { servername, ca }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const call = async (method: "GET" | "POST", path: string, headers: Record<string, string>, body?: string) => {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, json: readObject(text) };
  };
  const authorization = (bearer: string | undefined): Record<string, string> =>
    bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return {
    post: (path, body, bearer) => {
      const isForm = body instanceof URLSearchParams;
      const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
      const headers = { "content-type": type, ...authorization(bearer) };
      return call("POST", path, headers, isForm ? body.toString() : JSON.stringify(body));
    },
    get: (path, bearer) => call("GET", path, authorization(bearer)),
    stop: () => dispatcher.close(),
  };
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

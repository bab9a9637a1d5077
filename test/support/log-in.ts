import { type HttpAnswer, httpCall } from "../integration/gateway/http-call";
import type { Lie, TestIssuer } from "./test-issuer";

/** Sends a JSON request to one of the doors. */
export type Send = (method: string, path: string, body?: object, token?: string) => Promise<HttpAnswer>;

/** Sends to the door's port at the time of the call. */
export const sendTo =
  (port: () => number): Send =>
  (method, path, body, token) =>
    httpCall(port(), path, {
      method,
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

export const fieldOf = ({ json }: HttpAnswer, name: string): string =>
  String(Reflect.get(Object(json) as object, name));

export const redirectUri = "http://127.0.0.1:49152/callback";

/** Input of a login beside the claims, and deliberate errors in it. */
export interface LoginChanges {
  tenant?: string;
  lie?: Lie;
  /** Members of the answer that replace those from the issuer. */
  answer?: Record<string, string>;
}

/** Begins a login, lets the issuer authenticate the person, and sends its answer. */
export async function logIn(
  send: Send,
  issuer: TestIssuer,
  claims: Record<string, unknown>,
  { tenant, lie, answer = {} }: LoginChanges = {},
): Promise<HttpAnswer> {
  const begun = await send("POST", "/login", { redirectUri, ...(tenant === undefined ? {} : { tenant }) });
  const url = fieldOf(begun, "authorizationUrl");
  const code = await issuer.codeFor(url, claims, lie);
  const state = new URL(url).searchParams.get("state") ?? "";
  return send("POST", "/login/answer", { login: fieldOf(begun, "login"), code, state, ...answer });
}

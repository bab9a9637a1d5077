import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";

type Claims = Record<string, unknown>;

/** Deliberate errors of an answer. */
export interface Lie {
  claims?: Claims;
  /** Signs with an unknown key, with the client's secret, or not at all. */
  signs?: "unknown key" | "secret" | "nothing";
}

/** An identity provider under the control of a test. */
export interface TestIssuer {
  url: string;
  /** Returns the code that the provider would send back for this authorization address. */
  codeFor(authorizationUrl: string, claims: Claims, lie?: Lie): Promise<string>;
  /** An access token for the platform. */
  token(claims: Claims, lie?: Lie): Promise<string>;
  /** Signs with another key from now on, which is in its set beside the old one. */
  rotate(): Promise<void>;
  /** Has the person answer for a code of a device: with who it is, or with an error. Until then the answer is pending. */
  answerDevice(userCode: string, answer: { claims: Claims; lie?: Lie } | { error: string }): Promise<void>;
  /** Changes of the next answers of the device endpoint; with `error`, refusals. */
  deviceChanges(changes: Record<string, unknown>): void;
  /** Questions about devices, and the last request of the device endpoint. */
  deviceAsks(): number;
  deviceForm(): Record<string, string>;
  /** True: it answers 503. */
  away(isAway: boolean): void;
  /** Number of requests for its keys. */
  keyReads(): number;
  stop(): Promise<void>;
}

export const clientId = "corridor-console";
const clientSecret = "a secret:with signs";
const platformAudience = "corridor";
const lifeSeconds = 300;

interface Code {
  idToken: string;
  challenge: string | null;
  redirectUri: string | null;
}

export async function startTestIssuer({ hasDevices = true } = {}): Promise<TestIssuer> {
  const keys: { kid: string; privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"]; jwk: JWK }[] = [];
  const addKey = async (): Promise<void> => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const kid = `key-${keys.length}`;
    keys.push({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } });
  };
  await addKey();
  const { privateKey: unknownKey } = await generateKeyPair("ES256");
  const codes = new Map<string, Code>();
  let [isAway, reads] = [false, 0];

  const sign = async (claims: Claims, { signs, claims: others = {} }: Lie = {}): Promise<string> => {
    const newest = keys.at(-1);
    if (newest === undefined) throw new Error("the issuer has no key");
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: url(), iat: now, auth_time: now, exp: now + lifeSeconds, ...claims, ...others };
    if (signs === "nothing") return new UnsecuredJWT(all).encode();
    if (signs === "secret") {
      return new SignJWT(all).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(clientSecret.padEnd(32, "0")));
    }
    const header = { alg: "ES256", kid: newest.kid };
    return new SignJWT(all).setProtectedHeader(header).sign(signs === "unknown key" ? unknownKey : newest.privateKey);
  };

  /** Device codes by user code, and what the person has answered, by device code. */
  const devices = new Map<string, string>();
  const deviceAnswers = new Map<string, { error: string } | { idToken: string }>();
  let [changes, asks, lastForm]: [Claims, number, Record<string, string>] = [{}, 0, {}];

  const isClient = (authorization = ""): boolean => {
    const [id = "", secret = ""] = Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":");
    return id === clientId && new URLSearchParams(`x=${secret}`).get("x") === clientSecret;
  };

  /** The device authorization endpoint. */
  const beginDevice = (form: URLSearchParams, authorization?: string): { status: number; body: object } => {
    lastForm = Object.fromEntries(form);
    if (!isClient(authorization)) return { status: 401, body: { error: "invalid_client" } };
    if (changes["error"] !== undefined) return { status: 400, body: changes };
    const [deviceCode, userCode] = [`device-code-${randomUUID()}`, randomUUID().slice(0, 8)];
    devices.set(userCode, deviceCode);
    const addresses = { verification_uri: `${url()}/go`, verification_uri_complete: `${url()}/go?code=${userCode}` };
    const times = { expires_in: 600, interval: 7 };
    return { status: 200, body: { device_code: deviceCode, user_code: userCode, ...addresses, ...times, ...changes } };
  };

  /** The token endpoint for a device: an answer once. */
  const askDevice = (form: URLSearchParams, authorization?: string): { status: number; body: object } => {
    asks += 1;
    const code = form.get("device_code") ?? "";
    const answer = deviceAnswers.get(code);
    if (!isClient(authorization) || ![...devices.values()].includes(code))
      return { status: 400, body: { error: "invalid_grant" } };
    if (answer === undefined) return { status: 400, body: { error: "authorization_pending" } };
    deviceAnswers.delete(code);
    if ("error" in answer) return { status: 400, body: { error: answer.error } };
    for (const [userCode, deviceCode] of devices) if (deviceCode === code) devices.delete(userCode);
    return { status: 200, body: { token_type: "Bearer", access_token: "opaque", id_token: answer.idToken } };
  };

  /** The token endpoint: each code once, for its client, its address and its verifier. */
  const redeem = (form: URLSearchParams, authorization?: string): { status: number; body: object } => {
    if (form.has("device_code")) return askDevice(form, authorization);
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isGood =
      code?.challenge === verifier && code.redirectUri === form.get("redirect_uri") && isClient(authorization);
    if (!isGood || form.get("grant_type") !== "authorization_code")
      return { status: 400, body: { error: "invalid_grant" } };
    return { status: 200, body: { token_type: "Bearer", access_token: "opaque", id_token: code.idToken } };
  };

  const server = createServer((request, response) => {
    const send = (body: object, status = 200): void => {
      response.writeHead(isAway ? 503 : status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.url === "/.well-known/openid-configuration") {
      const endpoint = (path: string) => `${url()}/${path}`;
      send({
        issuer: url(),
        authorization_endpoint: endpoint("authorize"),
        token_endpoint: endpoint("token"),
        jwks_uri: endpoint("jwks"),
        ...(hasDevices ? { device_authorization_endpoint: endpoint("device") } : {}),
      });
    } else if (request.url === "/jwks") {
      reads += 1;
      send({ keys: keys.map(({ jwk }) => jwk) });
    } else {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const form = new URLSearchParams(Buffer.concat(chunks).toString());
        const answer = request.url === "/device" ? beginDevice : redeem;
        const { status, body } = isAway ? { status: 503, body: {} } : answer(form, request.headers.authorization);
        send(body, status);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url(),
    async codeFor(authorizationUrl, claims, lie) {
      const asked = new URL(authorizationUrl).searchParams;
      const idToken = await sign({ aud: clientId, nonce: asked.get("nonce"), ...claims }, lie);
      const code = `code-${randomUUID()}`;
      codes.set(code, {
        idToken,
        challenge: asked.get("code_challenge_method") === "S256" ? asked.get("code_challenge") : null,
        redirectUri: asked.get("redirect_uri"),
      });
      return code;
    },
    async answerDevice(userCode, answer) {
      const idToken = "claims" in answer ? await sign({ aud: clientId, ...answer.claims }, answer.lie) : "";
      deviceAnswers.set(devices.get(userCode) ?? "", "error" in answer ? answer : { idToken });
    },
    deviceChanges(next) {
      changes = next;
    },
    deviceAsks: () => asks,
    deviceForm: () => lastForm,
    token: (claims, lie) => sign({ aud: platformAudience, azp: clientId, ...claims }, lie),
    rotate: addKey,
    away(now) {
      isAway = now;
    },
    keyReads: () => reads,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The settings of an auth service with operators and tenants who log in there. */
export const oidcSettings = ({ url }: Pick<TestIssuer, "url">): string => {
  const provider = {
    issuer: url,
    clientId,
    clientSecret,
    audience: platformAudience,
    redirectUris: [
      "https://console.example/callback",
      "http://127.0.0.1/callback",
      "http://127.0.0.1/api/auth/callback",
    ],
    secondFactor: { amr: ["otp", "hwk"], acr: ["urn:example:mfa"] },
  };
  return JSON.stringify({ operators: provider, tenants: provider });
};

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { type Gateway, openGateway } from "../../cluster/test-payment/gateway";
import { payOnce } from "../../cluster/test-payment/pay-once";
import type { ReleaseTestbed } from "./testbed";

export interface CallerReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readonly<Record<string, unknown>>;
}

/**
 * A tenant of the release, outside the cluster: each request goes over a connection of its own to a ready gateway. What a busy
 * machine puts off is asked again.
 */
export interface Caller {
  send(method: "GET" | "POST", path: string, body?: object): Promise<CallerReply>;
  /** Pays one payment and returns its id, once it is paid. */
  pay(): Promise<string>;
}

const hostName = "corridor.localhost";
/** What a gateway says whose machine does too much: nothing was done, and it is asked again after a second. */
const isShed = ({ status, headers, body }: CallerReply): boolean =>
  status === 503 && headers["retry-after"] !== undefined && body["message"] === "too many requests at once";

export async function openCaller({ names, secrets }: Pick<ReleaseTestbed, "names" | "secrets">): Promise<Caller> {
  const {
    "client-id": clientId = "",
    "client-secret": clientSecret = "",
    "ca.crt": ca = "",
  } = secrets["corridor-test"] ?? {};
  /** As connections to the address of a Service: to any of its ready endpoints. */
  const urlNow = (): string => {
    const ready = names.addressesOf("corridor-gateway");
    return `https://${ready[Math.floor(Math.random() * ready.length)] ?? "127.255.255.254"}:8443`;
  };
  const ask = async (method: "GET" | "POST", path: string, headers: Record<string, string>, body?: string) => {
    const dispatcher = new Agent({ connect: { servername: hostName, ca }, headersTimeout: 20_000 });
    try {
      const answer = await request(`${urlNow()}${path}`, { method, dispatcher, headers, ...(body ? { body } : {}) });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(text || "{}") as object };
    } finally {
      await dispatcher.destroy();
    }
  };
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  const typed = (type: string) => ({ "content-type": type });
  const granted = await ask("POST", "/oauth/token", typed("application/x-www-form-urlencoded"), form.toString());
  const bearer = String((granted.body as Record<string, unknown>)["access_token"]);
  const withGateway = async <T>(use: (gateway: Gateway) => Promise<T>): Promise<T> => {
    const config = { TEST_GATEWAY_URL: urlNow(), TEST_SERVER_NAME: hostName, TEST_CA_FILE: ca };
    const gateway = openGateway({ ...config, TEST_CLIENT_ID_FILE: "", TEST_CLIENT_SECRET_FILE: "" });
    try {
      return await use(gateway);
    } finally {
      await gateway.stop();
    }
  };
  return {
    async send(method, path, body) {
      const headers = { ...typed("application/json"), authorization: `Bearer ${bearer}` };
      for (;;) {
        const reply = (await ask(method, path, headers, body && JSON.stringify(body))) as CallerReply;
        if (!isShed(reply)) return reply;
        await sleep(1_000);
      }
    },
    async pay() {
      const externalPaymentId = `cluster-${randomUUID()}`;
      await withGateway((gateway) =>
        payOnce(gateway, { clientId, clientSecret, externalPaymentId, patienceMs: 120_000 }),
      );
      return externalPaymentId;
    },
  };
}

/** What the console of the release answers to who comes for its page, and to who asks without a session. */
export async function askConsole({ names, secrets }: Pick<ReleaseTestbed, "names" | "secrets">) {
  const { "ca.crt": ca = "" } = secrets["corridor-test"] ?? {};
  const [address = "127.255.255.254"] = names.addressesOf("corridor-console");
  const dispatcher = new Agent({ connect: { servername: hostName, ca }, headersTimeout: 20_000 });
  const ask = async (path: string) => {
    const headers = { host: `${hostName}:8082` };
    const {
      statusCode,
      headers: told,
      body,
    } = await request(`https://${address}:8082${path}`, { dispatcher, headers });
    await body.dump();
    return { status: statusCode, type: told["content-type"], policy: String(told["content-security-policy"]) };
  };
  try {
    return { page: await ask("/payments"), refused: await ask("/api/t/demo/v2/payments") };
  } finally {
    await dispatcher.destroy();
  }
}

export interface Load {
  /** Ends it, and returns how many were sent, and what went wrong with those that were lost. */
  stop(): Promise<{ sent: number; lost: string[] }>;
}

const paceMs = 100;

/** Calls at a steady pace until it is stopped, whatever the answers. */
export function startLoad(calls: readonly (() => Promise<CallerReply>)[]): Load {
  const lost: string[] = [];
  const under = new Set<Promise<void>>();
  let sent = 0;
  let isOn = true;
  const one = async (call: () => Promise<CallerReply>): Promise<void> => {
    const at = new Date().toISOString();
    try {
      const { status, body } = await call();
      if (status > 299) lost.push(`${at} ${status} ${JSON.stringify(body)}`);
    } catch (error) {
      lost.push(`${at} ${String(error)}`);
    }
  };
  const pacing = (async () => {
    while (isOn) {
      const call = calls[sent % calls.length];
      if (call === undefined) return;
      sent += 1;
      const going: Promise<void> = one(call).finally(() => under.delete(going));
      under.add(going);
      await sleep(paceMs);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await pacing;
      await Promise.all(under);
      return { sent, lost };
    },
  };
}

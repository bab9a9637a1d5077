import { request } from "undici";
import type { Platform } from "../../local/platform";

/** One order in a book of the sandbox. */
export interface WorldEntry {
  reference: string;
  status: string;
  [field: string]: unknown;
}

/** The sandbox as a test sees it: its controls and its own records. */
export interface OutsideWorld {
  book(): Promise<Record<string, WorldEntry[]>>;
  advance(seconds: number): Promise<void>;
  setBalance(rail: string, currency: string, available: string): Promise<void>;
  /** Makes a provider act on an order without a request. */
  act(order: { provider: string; reference: string; act: string; amount?: string; isSilent?: boolean }): Promise<void>;
  /** Completes the challenge page of a card. */
  answerChallenge(url: string, outcome: "pass" | "fail"): Promise<void>;
}

export function outsideWorld({ credentials }: Pick<Platform, "credentials">): OutsideWorld {
  const call = async (method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<unknown> => {
    const response = await request(`${credentials.sandboxUrl}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
  return {
    book: async () => (await call("GET", "/book")) as Record<string, WorldEntry[]>,
    async advance(seconds) {
      await call("POST", "/clock", { advance: seconds });
    },
    async setBalance(rail, currency, available) {
      await call("PUT", `/rails/${rail}/balance`, { currency, available });
    },
    async act(order) {
      await call("POST", "/acts", order);
    },
    async answerChallenge(url, outcome) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const response = await request(url, { method: "POST", headers, body: `outcome=${outcome}` });
      await response.body.dump();
      if (response.statusCode >= 400) throw new Error(`the challenge page answered ${response.statusCode}`);
    },
  };
}

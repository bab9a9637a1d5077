import { setTimeout as delay } from "node:timers/promises";
import { bodyOf } from "./hostile-bodies";
import { type HostileCase, rails, type Target } from "./hostile-cases";
import { insist, type PlatformClient, type Reply } from "./platform-client";

/** A payment of a caller, and the answers that it got. */
export interface SentPayment {
  externalId: string;
  /** Its outcome with honest providers. */
  case: HostileCase;
  /** One attempt, or two that were sent at once. */
  answers: readonly Reply[];
}

/** Longer than any outage. */
const patienceMs = 180_000;
const longestPauseMs = 2_000;

/** Pays by any method, some payments twice at once, and then captures, voids and refunds pulls, several of these at once. */
export function racingCallers(client: PlatformClient, random: () => number) {
  const pick = <const T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const act = (externalId: string, action: string, body: object = {}): Promise<Reply> =>
    insist(async () => {
      const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
      const path = `/payments/${externalId}/${action}`;
      const reply = await client.send("POST", path, headers, action === "void" ? undefined : JSON.stringify(body));
      if (reply.status !== 401) return reply;
      // A look-up renews the token.
      await client.payment(externalId);
      return { ...reply, status: 503 };
    }, patienceMs);
  const goOn = async (id: string): Promise<void> => {
    const refund = (name: string, amount: number): Promise<Reply> =>
      act(id, "refund", { externalRefundId: `${id}.${name}`, amount });
    switch (Math.floor(random() * 5)) {
      case 0:
        await Promise.all([act(id, "capture"), act(id, "void")]);
        return;
      case 1:
        await Promise.all([act(id, "capture"), act(id, "capture", { amount: 40 })]);
        await Promise.all([refund("a", 40), refund("a", 40), refund("b", 40)]);
        return;
      case 2:
        await act(id, "capture");
        await Promise.all([refund("a", 60), refund("b", 60)]);
        return;
      case 3:
        await Promise.all([act(id, "void"), act(id, "void")]);
    }
  };
  const target = (): Target => {
    const type = pick(["PUSH", "PUSH", "PULL", "PULL", "PULLPUSH"]);
    const adapter = type === "PUSH" ? pick(rails) : pick(["acquirer", "acquirer", "debits"]);
    const step = type === "PULL" ? (adapter === "debits" ? "debit" : "capture") : "release";
    const way = random() < 0.08 ? "refused by screening" : pick(["by command", "plain"]);
    return { type, adapter, step, way };
  };
  return {
    async pay(externalId: string): Promise<SentPayment> {
      const wanted = target();
      const body = bodyOf(wanted, externalId);
      const copies = random() < 0.3 ? 2 : 1;
      const send = (): Promise<Reply> => insist(() => client.pay(body), patienceMs);
      const answers = await Promise.all(Array.from({ length: copies }, send));
      if (wanted.type === "PULL" && answers[0]?.status === 200) {
        await delay(longestPauseMs * random());
        await goOn(externalId);
      }
      const plain = { answer: "ok", isExecuted: true, question: "found", callback: "none", crash: "none" } as const;
      return { externalId, case: { target: wanted, ...plain }, answers };
    },
  };
}

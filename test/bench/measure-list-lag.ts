import { cardPullBody } from "../support/payment-bodies";
import { insist } from "../support/platform-client";
import { format, type Goal } from "./goal";
import { openConnection } from "./http-connection";
import { askJson, listRequest } from "./list-queries";
import { median, quantile } from "./statistics";
import type { Subject } from "./subject";

const changes = 30;
/** More than a page of one payment reads before it asks what is kept in memory. */
const newer = 16;

/**
 * How long after a payment has changed a list shows it that finds it in memory alone: by its status, behind newer payments that
 * have another.
 */
export async function measureListLag(subject: Subject, token: string): Promise<Goal> {
  const connection = openConnection(subject.port);
  const pay = async (amount: number): Promise<string> => {
    const body = cardPullBody("1", { capture: false, amount: { total: amount, currency: "USD" } });
    const { status, text } = await insist(() => subject.client.pay(body));
    if (status !== 200) throw new Error(`no payment: ${status} ${text}`);
    return String(body["externalPaymentId"]);
  };
  const ids: string[] = [];
  for (let at = 0; at < changes + newer; at += 1) ids.push(await pay(5_000_000 + at));
  const lagsMs: number[] = [];
  for (const [at, id] of ids.slice(0, changes).entries()) {
    const amount = 5_000_000 + at;
    const request = listRequest(token, `status=CAPTURED&minAmount=${amount}&maxAmount=${amount}`, 1);
    const { status, text } = await insist(() =>
      subject.client.send("POST", `/payments/${id}/capture`, subject.headers, JSON.stringify({ amount })),
    );
    if (status !== 200) throw new Error(`not captured: ${status} ${text}`);
    const changedMs = performance.now();
    while (((await askJson(connection, request))["payments"] as unknown[]).length === 0) {
      if (performance.now() - changedMs > 30_000) throw new Error(`${id} is not in its list`);
    }
    lagsMs.push(performance.now() - changedMs);
  }
  connection.close();
  return {
    id: "P30",
    what: "from the answer to a change until lists find it in memory, at most",
    value: Math.max(...lagsMs),
    unit: "ms",
    bar: { atMost: 1_000 },
    isDue: true,
    seen: `median ${format(median(lagsMs))}, p95 ${format(quantile(lagsMs, 0.95))} ms of ${changes} changes`,
  };
}

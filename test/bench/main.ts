import { formatGoal, type Goal, isMissed } from "./goal";
import { startLoad } from "./load";
import { measureHop, measureOverhead } from "./measure-gateway";
import { measureLedger } from "./measure-ledger";
import { measureLedgerSize } from "./measure-ledger-size";
import { measureListCost } from "./measure-list-cost";
import { measureLists } from "./measure-lists";
import { measureIdleMemory, measureLoadedMemory } from "./measure-memory";
import { measurePayment } from "./measure-payment";
import { measurePayouts } from "./measure-payouts";
import { measureAlone, measureCosts, measureIdle } from "./measure-quiet";
import { measureLag, measureRelay } from "./measure-relay";
import { measureReplay } from "./measure-replay";
import { measureSchema, measureValidation } from "./measure-schema";
import { measureScreening } from "./measure-screening";
import { measureColdStart, measurePlatformStart } from "./measure-start";
import { measureStoreMemory, measureStoreRates } from "./measure-store";
import { measureBearer, measureTokenEndpoint } from "./measure-token";
import { measureTracing } from "./measure-tracing";
import { measureWebhook } from "./measure-webhook";
import { startSubject } from "./subject";

/** Everything, in one run; names of measures on the command line choose some. Returns the goals with their figures. */
async function main(wanted: readonly string[]): Promise<Goal[]> {
  // The bench fills and empties its stores and its bus, so it never uses one that was named for other things.
  delete process.env["MONGODB_URI"];
  delete process.env["NATS_URL"];
  const startedAt = performance.now();
  const goals: Goal[] = [];
  const measure = async (name: string, run: () => Promise<Goal[]>): Promise<void> => {
    if (wanted.length > 0 && !wanted.includes(name)) return;
    const found = await run();
    goals.push(...found);
    console.log(`# ${name}, after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    for (const goal of found) console.log(formatGoal(goal));
  };
  const load = startLoad();
  await measure("start", measurePlatformStart);
  await measure("store", measureStoreRates);
  await measure("store-memory", measureStoreMemory);
  await measure("validation", measureValidation);
  await measure("screening", measureScreening);
  await measure("lists", () => measureLists(process.env["BENCH_PAYMENTS"] === "1000000"));
  const subject = await startSubject();
  await measure("idle-memory", () => measureIdleMemory(subject));
  await measure("idle", () => measureIdle(subject));
  await measure("alone", () => measureAlone(subject));
  await measure("costs", () => measureCosts(subject));
  await measure("cold-start", () => measureColdStart(subject));
  await measure("payment", () => measurePayment(subject, load));
  await measure("replay", () => measureReplay(subject, load));
  await measure("payouts", () => measurePayouts(subject, load));
  await measure("overhead", () => measureOverhead(subject, load));
  await measure("schema", () => measureSchema(subject, load));
  await measure("hop", () => measureHop(subject, load));
  await measure("token", () => measureTokenEndpoint(subject, load));
  await measure("bearer", measureBearer);
  await measure("lag", () => measureLag(subject, load));
  await measure("relay", () => measureRelay(subject));
  await measure("webhook", () => measureWebhook(subject));
  await measure("ledger", () => measureLedger(subject));
  await measure("ledger-size", () => measureLedgerSize(subject, wanted.includes("ledger-size")));
  await measure("memory", () => measureLoadedMemory(subject, load));
  await subject.stop();
  if (wanted.includes("list-cost")) await measure("list-cost", () => measureListCost(load));
  await measure("tracing", () => measureTracing(load));
  load.stop();
  return goals;
}

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(1));
main(process.argv.slice(2)).then(
  (goals) => {
    const missed = goals.filter((goal) => goal.isDue && isMissed(goal));
    console.log(missed.length === 0 ? "every bar that is due is met" : `${missed.length} due bars are missed:`);
    for (const goal of missed) console.log(formatGoal(goal));
    process.exit(missed.length === 0 ? 0 : 1);
  },
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

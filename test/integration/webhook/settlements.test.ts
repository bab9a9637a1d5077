import { plusMs } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { type Delivery, testDelivery } from "../../../services/webhook/domain/delivery";
import { healthy, type Subscription } from "../../../services/webhook/domain/subscription";
import { type DeliveryStore, makeDeliveryStore } from "../../../services/webhook/store/delivery-store";
import { startTestStore, type TestStore } from "../../support/testbed";

const at = new Date();
const subscription: Subscription = {
  id: "s",
  tenant: "demo",
  url: "https://example.com",
  events: [],
  isBatch: true,
  createdAt: at,
  secret: undefined,
  disabled: undefined,
  health: healthy,
};
const attempt = (number: number, status: number) => ({ number, at, status, durationMs: 1, failure: undefined });
const retry = (failures: number) => ({ failures, nextAttemptAt: plusMs(at, failures * 60_000) });

describe("what two processes remember of one delivery", () => {
  let store: TestStore;
  let mongo: Mongo;
  let deliveries: DeliveryStore;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("settlements");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    deliveries = makeDeliveryStore(mongo.connection);
    await deliveries.init();
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const add = async (): Promise<Delivery> => {
    const delivery = testDelivery(subscription, systemIds.uuid(), at);
    await mongo.transact((tx) => deliveries.add(tx, [delivery]));
    return delivery;
  };
  const find = ({ id }: Delivery) => deliveries.find("demo", "s", id);

  it("leaves the plan as the later attempt made it, when a failure of an earlier one is written late", async () => {
    const delivery = await add();
    await deliveries.settle([{ ids: [delivery.id], next: retry(1), attempt: attempt(1, 500) }]);
    await deliveries.settle([{ ids: [delivery.id], next: retry(2), attempt: attempt(2, 500) }]);

    await deliveries.settle([{ ids: [delivery.id], next: retry(1), attempt: attempt(1, 503) }]);
    await deliveries.settle([{ ids: [delivery.id], next: { end: "failed" }, attempt: attempt(2, 503) }]);

    expect(await find(delivery)).toMatchObject({ state: "pending", attempts: 2, lastStatus: 500, ...retry(2) });
  });

  it("takes an acknowledgement whichever of them got it", async () => {
    const delivery = await add();
    await deliveries.settle([{ ids: [delivery.id], next: retry(1), attempt: attempt(1, 500) }]);

    await deliveries.settle([{ ids: [delivery.id], next: { end: "delivered" }, attempt: attempt(1, 200) }]);
    await deliveries.settle([{ ids: [delivery.id], next: retry(2), attempt: attempt(2, 500) }]);

    expect(await find(delivery)).toMatchObject({ state: "delivered", lastStatus: 200 });
  });

  it("puts a delivery into one batch, and says so to the one that came late", async () => {
    const [one, two] = [await add(), await add()];
    const ids = [one.id, two.id];

    expect(await deliveries.makeBatch("first", ids)).toBe(true);
    expect(await deliveries.makeBatch("second", ids)).toBe(false);
    expect(await deliveries.inBatch("second")).toEqual([]);
  });
});

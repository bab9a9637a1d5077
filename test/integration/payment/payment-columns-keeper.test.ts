import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningNats, startNats } from "../../../local/nats";
import { makePaymentColumns } from "../../../services/payment/domain/payment-columns";
import { makeFilteredPaymentStore } from "../../../services/payment/store/filtered-payment-store";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import { type ColumnsKeeper, startColumnsKeeper } from "../../../services/payment/workers/payment-columns-keeper";
import { paymentTouched } from "../../../services/shared/bus/bus-users";
import { type Bus, openServiceBus, streamOf } from "../../../services/shared/bus/jetstream";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { builtAt } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import { eventually, silent } from "../bus/bus-testbed";
import { minute, rollPayments } from "./listed-payments";
import { openPayments } from "./open-payments";

const subject = "corridor.payment.events";
const newest = { createdAt: new Date(builtAt.getTime() + 1e12), id: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

describe("columns of payments, kept by events", () => {
  let store: TestStore;
  let dir: string;
  let nats: RunningNats;
  let mongo: Mongo;
  let payments: PaymentStore;
  /** Buses of two replicas: one writes, the other keeps columns. */
  let writer: Bus;
  let reader: Bus;
  let keeper: ColumnsKeeper;
  const touched: string[] = [];
  const { madeOf } = rollPayments(3);

  const openBus = () => {
    const NATS_URL = nats.address;
    const NATS_PASSWORD_FILE = nats.passwordFile("payment");
    const config = { NATS_URL, NATS_PASSWORD_FILE, NATS_CA_FILE: undefined, NATS_STREAM_REPLICAS: 1, PROFILE: "local" };
    return openServiceBus("payment", config as never, silent);
  };
  /** Stores a payment, and announces it to no process. */
  const keep = async (at: number) => {
    const next = madeOf({ tenant: "demo", status: "PENDING", createdAt: new Date(builtAt.getTime() + at * minute) });
    const stored = await payments.insert(
      { next, events: [], history: [], caseNotes: [] },
      { hashes: {}, answer: undefined },
    );
    expect(stored).toBe("stored");
    return next;
  };
  const tell = (id: string, from: number) =>
    writer.publish({
      id: `${id}:${from}-${from + 1}`,
      subject,
      payload: Buffer.from("x"),
      traceparent: undefined,
      committedAt: builtAt,
    });
  /** Ids that the columns know with a status; undefined while they may be behind. */
  const known = (status: "PENDING" | "DECLINED"): string[] | undefined => {
    const asked = { status, isOverdue: false, isStuck: false } as never;
    const found = keeper.present()?.find("all tenants", asked, { after: newest, most: 100, now: builtAt });
    return found?.places.map(({ id }) => id);
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-columns-"));
    [store, nats] = await Promise.all([startTestStore(), startNats({ dir })]);
    const news = { add() {}, doubt() {}, touched: (id: string) => void touched.push(id) };
    ({ mongo, payments } = await openPayments(store, news));
    [writer, reader] = await Promise.all([openBus(), openBus()]);
    await eventually(
      async () => (await writer.ensureStream(streamOf("payment", 1)).catch(() => undefined)) !== undefined,
    );
    const kept = { columns: makePaymentColumns(), store: makeFilteredPaymentStore(mongo.connection) };
    await keep(0);
    keeper = startColumnsKeeper({ ...kept, bus: reader, subject, logger: silent });
    await eventually(() => known("PENDING")?.length === 1);
  });
  afterAll(async () => {
    await keeper.stop();
    await Promise.all([writer.stop(), reader.stop()]);
    await mongo.stop();
    await Promise.all([store.stop(), nats.stop()]);
    await rm(dir, { recursive: true, force: true });
  });

  it("know a payment of another replica by its event, and what has become of it", async () => {
    const one = await keep(1);
    expect(known("PENDING")).not.toContain(one.id);
    await tell(one.id, 0);
    await eventually(() => known("PENDING")?.includes(one.id) === true);

    const declined = { next: { ...one, status: "DECLINED" as const }, events: [], history: [], caseNotes: [] };
    expect(await payments.save(one, declined)).toMatchObject({ kind: "saved" });
    // It had no event, of which its replica says so in other words.
    expect(touched.filter((id) => id === one.id)).toHaveLength(2);
    writer.signal(paymentTouched, one.id);
    await eventually(() => known("DECLINED")?.includes(one.id) === true);
    expect(known("PENDING")).not.toContain(one.id);
  });

  it("answer nothing while words of the bus may be lost, and know all of them afterwards", async () => {
    const before = known("PENDING") ?? [];
    await nats.stop();
    await eventually(() => known("PENDING") === undefined);
    const one = await keep(2);
    nats = await startNats({ dir, port: nats.port });
    await eventually(() => known("PENDING") !== undefined);
    expect(known("PENDING")).toEqual([one.id, ...before]);
  });
});

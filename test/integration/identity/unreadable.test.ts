import { randomUUID } from "node:crypto";
import { freePorts } from "../../../local/free-port";
import type { Sandbox } from "../../../sandbox/app";
import { detailsOf, kindOf, statusWord } from "../../support/person-intents";
import { until } from "../../support/platform-client";
import { startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const patienceMs = 60_000;
const entry = (id: string, name: string) => ({ id, names: [name] });
const listText = (version: string, ...entries: object[]): string => JSON.stringify({ version, entries });

interface KeyedRecord {
  _id: string;
  dataKey: string;
  listVersion: string;
}

describe("records that cannot be opened", () => {
  let testbed: IdentityTestbed;
  let world: Sandbox;
  let identity: Identity;
  let metricsPort: number;
  let listFile: string;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    world = await startWorld();
    [metricsPort = 0] = await freePorts(1);
    listFile = testbed.file("unreadable-list", listText("1", entry("listed", "Listed")));
    identity = await start();
  }, 60_000);
  afterAll(async () => {
    await identity.stop();
    await world.stop();
    await testbed.stop();
  }, 60_000);

  const start = (): Promise<Identity> =>
    testbed.start(testbed.kindVendorUrl, {
      SCREENING_BASE_URL: world.url,
      IDENTITY_SCREENING_LIST_FILE: listFile,
      METRICS_PORT: String(metricsPort),
    });
  const create = async (lastName: string): Promise<string> => {
    const details = detailsOf({ firstName: "Ivan", lastName });
    return (
      (await identity.createParticipant({ tenant, kind: kindOf("PERSON"), details })).participant?.participantId ?? ""
    );
  };
  const statusOf = async (participantId: string) =>
    statusWord((await identity.getParticipant({ tenant, participantId })).participant?.status);
  const blocked = async (): Promise<string> => {
    const { reviewId = "" } = await identity.decidePayment({
      tenant,
      paymentId: randomUUID(),
      amount: { amountMinor: 100n, currency: "BRL" },
      sender: { firstName: "Ada", lastName: "Listed" },
      recipient: { name: "Maria Newcomer", countryCode: "BRA", narrative: "" },
      isFirst: true,
    });
    return reviewId;
  };
  const counted = async (): Promise<string | undefined> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return /^corridor_screening_unreadable\{.*\} (\d+)$/m.exec(text)?.[1];
  };
  const records = (collection: string) => testbed.mongo.connection.collection<KeyedRecord>(collection);
  /** Makes keys unusable, as if their sealing key were gone; returns what takes that back. */
  const loseKeys = async (collection: string, ids: readonly string[]): Promise<() => Promise<void>> => {
    const found = await records(collection)
      .find({ _id: { $in: [...ids] } })
      .toArray();
    const set = (keyOf: (record: KeyedRecord) => string) =>
      Promise.all(
        found.map((record) => records(collection).updateOne({ _id: record._id }, { $set: { dataKey: keyOf(record) } })),
      );
    await set(({ dataKey }) => dataKey.replace(/^s1\.\w+/, "s1.00000000"));
    return async () => void (await set(({ dataKey }) => dataKey));
  };

  it("keep no other from being screened again, are counted, and are screened once they open after a restart", async () => {
    // More than a batch, and before the others in the order of the store.
    const lost = await Promise.all(Array.from({ length: 60 }, () => create("Newcomer")));
    const good = await create("Newcomer");
    const [lostReview, goodReview] = [await blocked(), await blocked()];
    const restore = [await loseKeys("participants", lost), await loseKeys("reviews", [lostReview])];

    testbed.file("unreadable-list", listText("2", entry("listed", "Listed"), entry("newcomer", "Newcomer")));
    await until(
      () => statusOf(good),
      (status) => status === "IN_REVIEW",
      patienceMs,
    );
    const reviewed = await until(
      async () => (await identity.getReview({ reviewId: goodReview })).review,
      (review) => review?.listVersion.startsWith("2.") === true,
      patienceMs,
    );
    expect(await statusOf(good)).toBe("IN_REVIEW");
    expect(reviewed?.hits.map(({ entryId }) => entryId).toSorted()).toEqual(["listed", "newcomer"]);
    expect(await until(counted, (count) => count === "61", patienceMs)).toBe("61");
    expect((await identity.listReviews({ tenant, limit: 100 })).reviews.map(({ reviewId }) => reviewId)).toEqual(
      expect.arrayContaining([lostReview, goodReview]),
    );

    await identity.stop();
    for (const back of restore) await back();
    identity = await start();
    expect(await until(counted, (count) => count === "0", patienceMs)).toBe("0");
    const left = await until(
      () => records("participants").countDocuments({ _id: { $in: lost }, listVersion: { $not: /^2\./ } }),
      (count) => count === 0,
      patienceMs,
    );
    expect(left).toBe(0);
  }, 200_000);
});

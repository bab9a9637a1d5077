import type { Sandbox } from "../../../sandbox/app";
import { keyIdOf, makeSealer } from "../../../services/shared/crypto/sealing";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLogger } from "../../../services/shared/process/logger";
import { renewBatch, sealedField } from "../../../services/shared/storage/key-use";
import { driverDb } from "../../../services/shared/storage/mongo";
import { changeOf, detailsOf, kindOf } from "../../support/person-intents";
import { sessionOf } from "../../support/session-intents";
import { eventually, startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const [oldest, newest] = ["1".repeat(64), "3".repeat(64)];
const newestId = keyIdOf(Buffer.from(newest, "hex"));

interface KeyedRecord {
  _id: string;
  dataKey: string | null;
  sealed: string;
}

describe("the keys of persons", () => {
  let testbed: IdentityTestbed;
  let world: Sandbox;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    world = await startWorld();
  });
  afterAll(async () => {
    await world.stop();
    await testbed.stop();
  });

  const start = (name: string, ...keys: readonly string[]): Promise<Identity> =>
    testbed.start(world.url, { IDENTITY_SEALING_KEY_FILE: testbed.file(name, `${keys.join("\n")}\n`) });
  const records = (collection: string) => testbed.mongo.connection.collection<KeyedRecord>(collection);
  const keyIdsOf = async (collection: string): Promise<Set<string | undefined>> => {
    const all = await records(collection).find({}).toArray();
    return new Set(all.flatMap(({ dataKey }) => (dataKey === null ? [] : [dataKey.split(".")[1]])));
  };
  const add = async (identity: Identity, lastName: string): Promise<string> => {
    const { participant } = await identity.createParticipant({
      tenant,
      kind: kindOf("PERSON"),
      details: detailsOf({ lastName }),
    });
    return participant?.participantId ?? "";
  };
  const nameOf = async (identity: Identity, participantId: string): Promise<string> => {
    const { participant } = await identity.getParticipant({ tenant, kind: kindOf("PERSON"), participantId });
    return String(participant?.details?.lastName);
  };

  it("are replaced under load, replica by replica, without one failure, and open under the newest alone", async () => {
    const both = await start("both", oldest, newest);
    const people: string[] = [];
    // The vendor is asked about each, and not about all at once.
    while (people.length < 120) {
      const names = Array.from({ length: 10 }, (_none, index) => `Name ${people.length + index}`);
      people.push(...(await Promise.all(names.map((name) => add(both, name)))));
    }
    const erased = people.pop() ?? "";
    await both.eraseParticipant({ tenant, participantId: erased });
    const { session } = await both.createSession({ tenant, session: sessionOf({ userRef: "u", personId: people[0] }) });

    const failures: unknown[] = [];
    const stopped = new Set<Identity>();
    let turns = 0;
    const load = async (identity: Identity, worker: number): Promise<void> => {
      while (!stopped.has(identity)) {
        const id = people[(turns * 7 + worker) % 100] ?? "";
        turns += 1;
        const patch = {
          tenant,
          kind: kindOf("PERSON"),
          participantId: id,
          ...changeOf({ firstName: `Turn ${turns}` }),
        };
        await identity.updateParticipant(patch).catch((error: unknown) => failures.push(error));
        await nameOf(identity, id).catch((error: unknown) => failures.push(error));
      }
    };
    const before = [load(both, 1), load(both, 2)];
    const next = await start("next", newest, oldest);
    const after = [load(next, 3), load(next, 4)];
    await eventually(() => turns > 50);
    // Nothing is replaced while a replica would go on under the older key.
    expect((await keyIdsOf("participants")).size).toBe(1);
    stopped.add(both);
    await Promise.all(before);
    await both.stop();
    await eventually(async () => {
      const [people, sessions] = await Promise.all([keyIdsOf("participants"), keyIdsOf("sessions")]);
      return [people, sessions].every((ids) => ids.size === 1 && ids.has(newestId));
    });
    await eventually(() => turns > 150);
    stopped.add(next);
    await Promise.all(after);

    expect(failures).toEqual([]);
    expect((await records("participants").findOne({ _id: erased }))?.dataKey).toBeNull();
    await eventually(async () => (await next.getKeyRings({})).renewal?.doneAt !== undefined);
    expect((await next.getKeyRings({})).renewal?.uses).toContainEqual(
      expect.objectContaining({ collection: "participants", seen: 119n, renewed: 119n, left: 0n, unopened: 0n }),
    );
    await next.stop();
    const last = await start("last", newest);
    const names = await Promise.all(people.map((id) => nameOf(last, id)));
    expect(names).toEqual(people.map((_id, index) => `Name ${index}`));
    expect(await last.getSession({ tenant, sessionId: session?.sessionId ?? "" })).toMatchObject({
      session: { details: { userRef: "u" } },
    });
    await last.stop();
  });

  it("stay destroyed when their person is erased while they are replaced", async () => {
    const identity = await start("erased", newest);
    const people = await Promise.all(Array.from({ length: 20 }, () => add(identity, "Name")));
    const last = people.toSorted().at(-1) ?? "";
    const real = makeSealer(
      [newest, oldest].map((key) => Buffer.from(key, "hex")),
      systemIds,
    );
    let erasing: Promise<unknown> | undefined;
    const sealer = {
      renew(sealed: string, place: string) {
        erasing ??= identity.eraseParticipant({ tenant, participantId: last });
        return place.includes(last) ? "resurrected" : real.renew(sealed, place);
      },
    };
    const placeOf = ({ tenant: owner = "", _id }: { tenant?: string; _id: string | number }) =>
      `${owner}|participants|${_id}|key`;
    const use = { ring: "R", collection: "participants", fields: [sealedField("dataKey", sealer, placeOf)] };
    const db = driverDb(testbed.mongo.connection);
    let [after, isOver]: [string | number | undefined, boolean] = [undefined, false];
    while (!isOver) {
      const batch = await renewBatch(db, use, after, makeLogger("test", "error"));
      [after, isOver] = [batch.last, batch.isOver];
      // The erasure is done before the last record is looked at again.
      await erasing;
    }

    expect((await records("participants").findOne({ _id: last }))?.dataKey).toBeNull();
    await identity.stop();
  });

  it("open no record but their own: what was moved to another record, tenant or collection is refused", async () => {
    const identity = await start("again", newest);
    const [first, second] = [await add(identity, "First"), await add(identity, "Second")];
    const people = records("participants");
    const [one, other] = [await people.findOne({ _id: first }), await people.findOne({ _id: second })];
    const swaps: Partial<KeyedRecord>[] = [
      { sealed: other?.sealed ?? "" },
      { dataKey: other?.dataKey ?? "" },
      { sealed: other?.sealed ?? "", dataKey: other?.dataKey ?? "" },
      { sealed: one?.dataKey ?? "" },
    ];
    for (const swap of swaps) {
      await people.updateOne({ _id: first }, { $set: swap });
      await expect(nameOf(identity, first)).rejects.toMatchObject({ reason: "INTERNAL" });
      await people.updateOne({ _id: first }, { $set: { sealed: one?.sealed ?? "", dataKey: one?.dataKey ?? "" } });
    }
    expect(await nameOf(identity, first)).toBe("First");

    const foreign = records("participants");
    await foreign.updateOne({ _id: first }, { $set: { tenant: "other" } as object });
    const read = { tenant: "other", kind: kindOf("PERSON"), participantId: first };
    await expect(identity.getParticipant(read)).rejects.toMatchObject({ reason: "INTERNAL" });
    await identity.stop();
  });
});

import { randomUUID } from "node:crypto";
import type { UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import type { Sandbox } from "../../../sandbox/app";
import { keyIdOf } from "../../../services/shared/crypto/sealing";
import { detailsOf, kindOf } from "../../support/person-intents";
import { sampleFile } from "../../support/sample-files";
import { sessionOf, verificationWord } from "../../support/session-intents";
import { eventually, startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const [older, newer] = ["2".repeat(64), "4".repeat(64)];
const idOf = (key: string): string => keyIdOf(Buffer.from(key, "hex"));
const file = sampleFile("png", 300);
const passport = { identificationType: "PASSPORT", identification: "AB 123" };

/** Three replicas stand beside each other while keys are replaced: with the older key, both, and both the other way round. */
describe("what finds documents and keeps them apart, while its key is replaced", () => {
  const tenant = randomUUID();
  let testbed: IdentityTestbed;
  let world: Sandbox;
  const running = new Set<Identity>();
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    world = await startWorld();
  });
  afterAll(async () => {
    await Promise.all([...running].map(stop));
    await world.stop();
    await testbed.stop();
  });

  const start = async (...keys: readonly string[]): Promise<Identity> => {
    const path = testbed.file(`index-${randomUUID()}`, keys.join("\n"));
    const identity = await testbed.start(world.url, { IDENTITY_INDEX_KEY_FILE: path });
    running.add(identity);
    return identity;
  };
  async function stop(identity: Identity): Promise<void> {
    running.delete(identity);
    await identity.stop();
  }
  const create = async (identity: Identity, person: object = passport, owner = tenant): Promise<string> => {
    const intent = { tenant: owner, kind: kindOf("PERSON"), details: detailsOf({ firstName: "Maria", ...person }) };
    return (await identity.createParticipant(intent)).participant?.participantId ?? "";
  };
  const find = async (identity: Identity): Promise<string[]> => {
    const { participants } = await identity.findParticipants({
      tenant,
      document: passport,
      after: undefined,
      limit: 50,
    });
    return participants.map(({ participantId }) => participantId);
  };
  async function upload(identity: Identity, participantId: string, content: Buffer, documentNumber: string) {
    async function* pieces(): AsyncGenerator<UploadDocumentRequest> {
      const owner = { tenant, kind: kindOf("PERSON"), participantId, documentType: "PASSPORT", mediaType: "" };
      yield { piece: { $case: "begin", value: owner } };
      yield { piece: { $case: "content", value: content } };
      yield { piece: { $case: "end", value: { documentNumber } } };
    }
    return (await identity.uploadDocument(pieces())).document?.documentId ?? "";
  }
  const statusOf = async (identity: Identity, documentId: string): Promise<string | undefined> =>
    verificationWord((await identity.getDocument({ tenant, documentId })).document?.status);
  const sealedUnder = async (): Promise<Set<string | undefined>> => {
    const records = await testbed.mongo.connection.collection<{ key: string }>("data_keys").find({}).toArray();
    return new Set(records.map(({ key }) => key.split(".")[1]));
  };

  it("stays as it is at every replica: nothing is kept twice, nothing is taken for another, and all is found", async () => {
    const first = await start(older);
    const person = await create(first);
    const known = await upload(first, person, file, "AB 123");
    const begun = await first.createSession({ tenant, session: sessionOf({ userRef: "user" }) });
    await stop(first);

    const [ahead, behind] = [await start(newer, older), await start(older, newer)];
    // The same file at both at once, many times over: of each there is one, and the number is no other one.
    expect(await Promise.all([ahead, behind].map((one) => upload(one, person, file, "ab-123")))).toEqual([
      known,
      known,
    ]);
    for (let turn = 0; turn < 10; turn += 1) {
      const content = sampleFile("png", 400 + turn);
      const ids = await Promise.all([ahead, behind, ahead, behind].map((one) => upload(one, person, content, "AB123")));
      expect(new Set(ids).size).toBe(1);
    }
    expect(await statusOf(ahead, known)).toBe("PENDING");
    // A tenant that is new to both gets one key, whoever is first.
    const fresh = randomUUID();
    await Promise.all([ahead, behind].map((one) => create(one, passport, fresh)));
    const found = await ahead.findParticipants({ tenant: fresh, document: passport, after: undefined, limit: 50 });
    expect(found.participants).toHaveLength(2);

    const people = [person, await create(ahead), await create(behind)].toSorted();
    expect(await find(ahead)).toEqual(people);
    expect(await find(behind)).toEqual(people);
    const again = await ahead.createSession({ tenant, session: sessionOf({ userRef: "user" }) });
    expect((await behind.getSession({ tenant, sessionId: begun.session?.sessionId ?? "" })).session?.status).toContain(
      "SUPERSEDED",
    );
    expect(again.session?.sessionId).not.toBe(begun.session?.sessionId);

    // Nothing is put under the newer key before all have it first.
    await stop(behind);
    await eventually(async () => (await sealedUnder()).size === 1 && (await sealedUnder()).has(idOf(newer)));
    await eventually(async () => (await ahead.getKeyRings({})).renewal?.doneAt !== undefined);
    const { renewal } = await ahead.getKeyRings({});
    expect(renewal?.uses).toContainEqual(
      expect.objectContaining({ ring: "IDENTITY_INDEX_KEY_FILE", collection: "data_keys", left: 0n, unopened: 0n }),
    );
    await stop(ahead);
    const last = await start(newer);
    expect(await find(last)).toEqual(people);
    expect(await upload(last, person, file, "AB 123")).toBe(known);
    // Another number ends what was not decided of the first.
    await upload(last, person, sampleFile("png", 900), "CD 456");
    expect(await statusOf(last, known)).toBe("SUPERSEDED");
    await stop(last);
  });
});

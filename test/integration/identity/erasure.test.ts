import { freePorts } from "../../../local/free-port";
import type { UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import { ErasureEvents } from "../../../proto/gen/corridor/identity/v1/erasure_events";
import { ParticipantStatus } from "../../../proto/gen/corridor/identity/v1/participant";
import type { Sandbox } from "../../../sandbox/app";
import { openBus } from "../../../services/shared/bus/jetstream";
import { makeLogger } from "../../../services/shared/process/logger";
import { detailsOf, kindOf } from "../../support/person-intents";
import { until } from "../../support/platform-client";
import { sampleFile } from "../../support/sample-files";
import { sessionOf } from "../../support/session-intents";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";
import { call, startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const patienceMs = 60_000;

interface ErasureRecord {
  _id: string;
  dueAt?: Date;
  outstandingSince?: Date;
  relayDue?: Date;
  tries: number;
}

describe("an erasure", () => {
  let testbed: IdentityTestbed;
  let world: Sandbox;
  let identity: Identity;
  let metricsPort: number;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    world = await startWorld();
    [metricsPort = 0] = await freePorts(1);
    identity = await start();
  }, 60_000);
  afterAll(async () => {
    await identity.stop();
    await world.stop();
    await testbed.stop();
  }, 60_000);

  const start = (env: Readonly<Record<string, string>> = {}): Promise<Identity> =>
    testbed.start(world.url, { DOCUMENT_READING_TENANTS: "demo", METRICS_PORT: String(metricsPort), ...env });
  const addPerson = async (): Promise<string> => {
    const details = detailsOf({ firstName: "Maria" });
    return (
      (await identity.createParticipant({ tenant, kind: kindOf("PERSON"), details })).participant?.participantId ?? ""
    );
  };
  const openSession = async (personId: string, documentType: string): Promise<string> => {
    const session = sessionOf({ userRef: "u", personId, documentTypes: [documentType] });
    return (await identity.createSession({ tenant, session })).session?.sessionId ?? "";
  };
  const upload = async (participantId: string): Promise<string> => {
    async function* pieces(): AsyncGenerator<UploadDocumentRequest> {
      const begin = { tenant, kind: kindOf("PERSON"), participantId, documentType: "PASSPORT", mediaType: "" };
      yield { piece: { $case: "begin", value: begin } };
      yield { piece: { $case: "content", value: sampleFile("png") } };
      yield { piece: { $case: "end", value: { documentNumber: "AB1-review" } } };
    }
    return (await identity.uploadDocument(pieces())).document?.documentId ?? "";
  };
  /** References of sessions and documents that the vendor knows. */
  const atVendor = async (): Promise<string[]> => {
    const { body } = await call("GET", `${world.url}/book`);
    const { captures, readings } = body as Record<string, { reference: string }[]>;
    return [...(captures ?? []), ...(readings ?? [])].map(({ reference }) => reference);
  };
  const fault = (rail: string, rule: object) =>
    call("POST", `${world.url}/faults`, { rail, operation: "erase", ...rule });
  const erasures = () => testbed.mongo.connection.collection<ErasureRecord>("erasures");
  const record = (id: string) => erasures().findOne({ _id: id });
  const erase = (participantId: string) => identity.eraseParticipant({ tenant, participantId });
  const outstanding = async (): Promise<string | undefined> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return /^corridor_erasures_outstanding\{.*\} (\d+)$/m.exec(text)?.[1];
  };
  const isAcknowledged = (id: string) =>
    until(
      () => record(id),
      (found) => found !== null && found.outstandingSince === undefined,
      patienceMs,
    );

  it("takes a person out of the lists, where it leaves no gap", async () => {
    const kept = [await addPerson(), await addPerson(), await addPerson()];
    const list = async (after?: string): Promise<string[]> => {
      const kind = kindOf("PERSON");
      const asked = { tenant, kind, status: ParticipantStatus.UNSPECIFIED, after, limit: 1 };
      const { participants, next } = await identity.listParticipants(asked);
      const ids = participants.map(({ participantId }) => participantId);
      return next === undefined ? ids : [...ids, ...(await list(next))];
    };
    const [, erased = ""] = kept;
    expect((await list()).filter((id) => kept.includes(id)).toSorted()).toEqual(kept.toSorted());

    await identity.eraseParticipant({ tenant, participantId: erased });

    const left = kept.filter((id) => id !== erased);
    expect((await list()).filter((id) => kept.includes(id)).toSorted()).toEqual(left.toSorted());
  });

  it("makes the vendor forget the person's sessions and documents, and nobody else's", async () => {
    const [person, other] = [await addPerson(), await addPerson()];
    const gone = [
      await openSession(person, "PASSPORT"),
      await openSession(person, "NATIONAL_ID"),
      await upload(person),
    ];
    const kept = [await openSession(other, "PASSPORT"), await upload(other)];
    expect(await atVendor()).toEqual(expect.arrayContaining([...gone, ...kept]));

    await erase(person);
    await isAcknowledged(person);

    const known = await atVendor();
    expect(gone.filter((reference) => known.includes(reference))).toEqual([]);
    expect(known).toEqual(expect.arrayContaining(kept));
  }, 90_000);

  it("does not wait for a silent vendor, which is told again until it acknowledges, and counted meanwhile", async () => {
    const person = await addPerson();
    const [session, document] = [await openSession(person, "PASSPORT"), await upload(person)];
    await fault("kyc", { status: 503, times: 1_000 });
    await fault("documents", { timeoutAfterExecute: true, times: 1 });

    await erase(person);
    await expect(identity.getSession({ tenant, sessionId: session })).rejects.toMatchObject({
      reason: "SESSION_NOT_FOUND",
    });
    await until(
      () => record(person),
      (found) => (found?.tries ?? 0) > 0,
      patienceMs,
    );
    expect(await outstanding()).toBe("1");
    // The operator who looks after it by hand sees which of the vendor's records are meant.
    const { erasures } = await identity.listErasures({ limit: 5 });
    expect(erasures).toMatchObject([{ tenant, participantId: person, sessionIds: [session], documentIds: [document] }]);
    expect(await atVendor()).toContain(session);
    await call("DELETE", `${world.url}/faults`);
    testbed.advance(3_600_000);
    await isAcknowledged(person);

    await until(outstanding, (count) => count === "0", patienceMs);
    expect(await outstanding()).toBe("0");
    expect(await identity.listErasures({ limit: 5 })).toEqual({ erasures: [] });
    const known = await atVendor();
    expect([session, document].filter((reference) => known.includes(reference))).toEqual([]);
  }, 120_000);

  it("goes on after the process ended in the middle, and takes along what came late", async () => {
    const person = await addPerson();
    const session = await openSession(person, "PASSPORT");
    const sessions = testbed.mongo.connection.collection<{ _id: string; dataKey: string | null; sealed: string }>(
      "sessions",
    );
    const before = await sessions.findOne({ _id: session });
    await fault("kyc", { status: 503, times: 1_000 });
    await erase(person);
    await identity.stop();
    // As if the process had ended before it destroyed the key of the session, or the session had been added since.
    await sessions.updateOne(
      { _id: session },
      { $set: { dataKey: before?.dataKey ?? "", sealed: before?.sealed ?? "" } },
    );
    await call("DELETE", `${world.url}/faults`);
    identity = await start();
    testbed.advance(3_600_000);

    await until(
      () => record(person),
      (found) => found?.dueAt === undefined,
      patienceMs,
    );

    expect(await record(person)).not.toHaveProperty("outstandingSince");
    expect(await sessions.findOne({ _id: session })).toMatchObject({ dataKey: null, sealed: "" });
    expect(await atVendor()).not.toContain(session);
  }, 120_000);

  it("is noted once, however often and by however many it is asked for", async () => {
    const person = await addPerson();

    await Promise.all([erase(person), erase(person), erase(person)]);
    const first = await record(person);
    await isAcknowledged(person);
    await erase(person);

    expect(await erasures().countDocuments({ _id: person })).toBe(1);
    expect(await record(person)).toMatchObject({ erasedAt: (first as { erasedAt?: Date } | null)?.erasedAt });
    expect(await record(person)).not.toHaveProperty("outstandingSince");
  }, 90_000);

  describe("on the bus", () => {
    let bus: TestTestbed;
    beforeAll(async () => {
      bus = await startTestTestbed();
    }, 60_000);
    afterAll(() => bus.stop(), 60_000);

    it("is told once it is there, of those too that were erased while it was away, each once", async () => {
      const people = [await addPerson(), await addPerson()];
      for (const person of people) await erase(person);
      expect((await record(people[0] ?? ""))?.relayDue).toBeInstanceOf(Date);
      await identity.stop();
      identity = await start(bus.busOf("identity"));

      await until(
        () => erasures().countDocuments({ relayDue: { $exists: true } }),
        (count) => count === 0,
        patienceMs,
      );

      const overseer = await openBus({ url: bus.natsUrl, name: "overseer", logger: makeLogger("test", "error") });
      const { manager } = await overseer.client();
      const { state } = await manager.streams.info("CORRIDOR_IDENTITY", { subjects_filter: ">" });
      const told: { tenant: string; participantId: string }[] = [];
      for (let seq = 1; seq <= state.last_seq; seq += 1) {
        const message = await manager.streams.getMessage("CORRIDOR_IDENTITY", { seq });
        if (message?.subject === "corridor.identity.erasures") told.push(ErasureEvents.decode(message.data));
      }
      await overseer.stop();
      const ids = told.map(({ participantId }) => participantId);
      for (const person of people) expect(ids.filter((id) => id === person)).toEqual([person]);
      expect(new Set(told.map((one) => one.tenant))).toEqual(new Set([tenant]));
    }, 120_000);
  });
});

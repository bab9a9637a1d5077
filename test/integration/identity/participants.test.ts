import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdentityServiceService, type PersonDecision } from "../../../proto/gen/corridor/identity/v1/identity_service";
import { KycServiceService } from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import { startIdentity } from "../../../services/identity/app";
import { readIdentityConfig } from "../../../services/identity/config";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { changeOf, detailsOf, inWords, kindOf, shownFields } from "../../support/person-intents";
import { sessionOf, verificationWord } from "../../support/session-intents";
import { startTestStore, type TestStore } from "../../support/testbed";
import { call, callbackSecret, railKey, startWorld } from "../sandbox/outside-world";

const services = { ...IdentityServiceService, ...KycServiceService };
const tenant = "demo";
const canary = "canary-7f3a";
const maria = {
  type: "INDIVIDUAL",
  identificationType: "NATIONAL_ID",
  identification: "39053344705",
  firstName: "Maria",
  lastName: `Silva ${canary}`,
  address: { addressLine1: `Rua ${canary}`, city: "Rio", state: "RJ", postalCode: "20000-000", countryCode: "BR" },
};

describe("identity", () => {
  let store: TestStore;
  let mongo: Mongo;
  let folder: string;
  let identity: Rpc<typeof services>;
  let worldUrl: string;
  const running: Running[] = [];

  beforeAll(async () => {
    store = await startTestStore();
    folder = mkdtempSync(join(tmpdir(), "identity-"));
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const common = { PROFILE: "local", LOG_LEVEL: "error", GRPC_PORT: "0", MONGODB_URI: store.mongoUri };
    const schema = await startSchema(readSchemaConfig({ ...common, MONGODB_DATABASE: store.database("schema") }));
    const world = await startWorld();
    worldUrl = world.url;
    const service = await startIdentity(
      readIdentityConfig({
        ...common,
        MONGODB_DATABASE: store.database("identity"),
        NATS_URL: "nats://127.0.0.1:9",
        KYC_BASE_URL: world.url,
        KYC_API_KEY_FILE: file("kyc-key", railKey),
        KYC_CALLBACK_SECRET_FILE: file("kyc-secret", callbackSecret),
        SCREENING_BASE_URL: world.url,
        SCREENING_API_KEY_FILE: file("screening-key", railKey),
        SCREENING_CALLBACK_SECRET_FILE: file("screening-secret", callbackSecret),
        SCHEMA_TARGET: `ipv4:127.0.0.1:${schema.port}`,
        IDENTITY_SEALING_KEY_FILE: file("sealing", "1".repeat(64)),
        IDENTITY_INDEX_KEY_FILE: file("index", "2".repeat(64)),
        IDENTITY_SCREENING_LIST_FILE: file("list", '{"version":"1","entries":[{"id":"e","names":["Listed"]}]}'),
      }),
    );
    const target = `ipv4:127.0.0.1:${service.port}`;
    const client = makeRpcClient(services, {
      target,
      tls: undefined,
      timeoutMs: 20_000,
      retryable: [],
      tracing: noTracing,
    });
    identity = client;
    mongo = await openMongo({
      uri: store.mongoUri,
      database: store.database("identity"),
      profile: "local",
      tracing: noTracing,
    });
    running.push(world, schema, service, client, mongo);
  });
  afterAll(async () => {
    for (const part of running.toReversed()) await part.stop();
    await store.stop();
    rmSync(folder, { recursive: true });
  });

  const decided = (decision: PersonDecision | undefined) => {
    if (decision === undefined) throw new Error("no decision");
    return inWords(decision);
  };
  const register = async (person: object) =>
    decided((await identity.registerPerson({ tenant, person: detailsOf(person) })).decision);
  const create = async (person: object, kind = "PERSON") => {
    const details = detailsOf(person);
    const { participant } = await identity.createParticipant({ tenant, kind: kindOf(kind), details });
    if (participant === undefined) throw new Error("no participant");
    return { ...inWords(participant), fields: shownFields(participant) };
  };
  const read = (participantId: string, owner = tenant, kind = "PERSON") =>
    identity.getParticipant({ tenant: owner, kind: kindOf(kind), participantId });
  const patch = async (participantId: string, change: object, expectedVersion?: number) => {
    const { participant } = await identity.updateParticipant({
      tenant,
      kind: kindOf("PERSON"),
      participantId,
      ...changeOf(change),
      ...(expectedVersion !== undefined && { expectedVersion }),
    });
    if (participant === undefined) throw new Error("no participant");
    return { participant: { ...inWords(participant), fields: shownFields(participant) } };
  };
  const kept = () => mongo.connection.collection("participants").countDocuments();

  describe("a person that is registered", () => {
    it("is approved and kept when its country asks for nothing more", async () => {
      const decision = await register(maria);

      expect(decision).toMatchObject({ type: "INDIVIDUAL", firstName: "Maria", status: "APPROVED", reasonCodes: [] });
      expect(decision?.message).toBeUndefined();
      const { participant } = await read(decision?.personId ?? "");
      expect(shownFields(participant)).toEqual(maria);
    });

    it.each([
      ["lacks what its country asks for", { ...maria, identification: undefined }, "REQUIREMENT_NOT_MET"],
      ["has a document that is none there", { ...maria, identification: "12" }, "REQUIREMENT_NOT_MET"],
      ["is refused by the vendor", { ...maria, lastName: "Rejected" }, "REQUIREMENT_NOT_MET"],
      ["is on the list", { ...maria, lastName: "Listed" }, "SCREENING_HIT"],
      ["is on the list, wherever it lives", { lastName: "Listed" }, "SCREENING_HIT"],
    ])("is rejected and not kept when it %s", async (_case, person, reason) => {
      const before = await kept();
      const decision = await register(person);

      expect(decision).toMatchObject({ status: "REJECTED", reasonCodes: [reason] });
      expect(decision?.personId).toBeUndefined();
      expect(decision?.message).not.toContain(canary);
      expect(await kept()).toBe(before);
    });

    it("is asked for nothing by a country without a schema, or without a country", async () => {
      expect(await register({ firstName: "Jo", address: { countryCode: "AQ" } })).toMatchObject({ status: "APPROVED" });
      expect(await register({ lastName: "Jo" })).toMatchObject({ status: "APPROVED" });
    });

    it.each([
      {},
      { type: "BUSINESS" },
      { type: "INDIVIDUAL", companyName: "Acme" },
      { type: "BUSINESS", firstName: "Jo" },
    ])("is rejected by every door without a name: %j", async (nameless) => {
      const rejected = { status: "REJECTED", reasonCodes: ["REQUIREMENT_NOT_MET"] };
      const before = await kept();

      expect(await register(nameless)).toMatchObject({ ...rejected, message: expect.stringContaining("is required") });
      expect(decided((await identity.validatePerson({ tenant, person: detailsOf(nameless) })).decision)).toMatchObject(
        rejected,
      );
      expect(await kept()).toBe(before);
      const kind = nameless.type === "BUSINESS" ? "COMPANY" : "PERSON";
      const { participant } = await identity.createParticipant({
        tenant,
        kind: kindOf(kind),
        details: detailsOf(nameless),
      });
      expect(participant && inWords(participant)).toMatchObject(rejected);
    });

    it("is not judged while the vendor is away, nor kept; who does not pass without it is told", async () => {
      const before = await kept();
      await call("POST", `${worldUrl}/faults`, { rail: "kyc", operation: "judge", status: 503, times: 1 });

      expect(await register({ ...maria, lastName: "Listed" })).toMatchObject({ status: "REJECTED" });
      await expect(register(maria)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
      expect(await kept()).toBe(before);
      expect(await register(maria)).toMatchObject({ status: "APPROVED" });
    });

    it("is refused with every malformed field, and not kept", async () => {
      const before = await kept();

      await expect(register({ gender: "X", address: { countryCode: "BRA" } })).rejects.toMatchObject({
        reason: "INVALID_ARGUMENT",
        violations: [{ field: "gender" }, { field: "address.countryCode" }],
      });
      expect(await kept()).toBe(before);
    });

    it("is approved all the same when its number looks mistyped, and told of it when it is only validated", async () => {
      const mistyped = { ...maria, identification: "39053344706" };
      const advice = async (person: object) =>
        (await identity.validatePerson({ tenant, person: detailsOf(person) })).advice;

      expect(await register(mistyped)).toMatchObject({ status: "APPROVED" });
      expect(await advice(mistyped)).toEqual([{ field: "identification", message: "does not look like a CPF" }]);
      expect(await advice(maria)).toEqual([]);
      expect(await advice({ ...maria, address: { ...maria.address, countryCode: "AQ" } })).toEqual([]);
      expect(await advice({ firstName: "Maria" })).toEqual([]);
    });

    it("is judged alike, and never kept, when it is only validated", async () => {
      const before = await kept();
      const validate = async (person: object) =>
        decided((await identity.validatePerson({ tenant, person: detailsOf(person) })).decision);

      expect(await validate(maria)).toMatchObject({ status: "APPROVED" });
      expect(await validate({ ...maria, lastName: "Listed" })).toMatchObject({ status: "REJECTED" });
      expect((await validate(maria))?.personId).toBeUndefined();
      expect(await kept()).toBe(before);
    });
  });

  describe("a participant", () => {
    it("goes to review when the list names it, and comes out when its name is mended", async () => {
      const listed = await create({ firstName: "Ana", lastName: "Listed" });
      expect(listed).toMatchObject({ status: "IN_REVIEW", reasonCodes: ["SCREENING_HIT"], version: 1 });

      const { participant } = await patch(listed.participantId, { lastName: "Lima" });
      expect(participant).toMatchObject({ status: "APPROVED", reasonCodes: [], version: 2 });
    });

    it.each([
      ["that has all", maria, "APPROVED", []],
      [
        "that lacks what its country asks for",
        { ...maria, identification: undefined },
        "REJECTED",
        ["REQUIREMENT_NOT_MET"],
      ],
      ["that the vendor refuses", { ...maria, lastName: "Rejected" }, "REJECTED", ["REQUIREMENT_NOT_MET"]],
      [
        "known by name and country",
        { firstName: "Ana", lastName: "Lima", address: { countryCode: "BR" } },
        "REJECTED",
        ["REQUIREMENT_NOT_MET"],
      ],
      ["known by name alone", { firstName: "Ana", lastName: "Lima" }, "APPROVED", []],
    ])("%s is judged by the rule that judges a registered person", async (_case, person, status, reasonCodes) => {
      expect(await create(person)).toMatchObject({ status, reasonCodes });
      expect(await register({ ...person, type: "INDIVIDUAL" })).toMatchObject({ status, reasonCodes });
    });

    it("is rejected until it has what it lacks, and again when it is taken away", async () => {
      const { participantId } = await create({ ...maria, identification: undefined });

      const given = await patch(participantId, { identification: maria.identification });
      expect(given.participant).toMatchObject({ status: "APPROVED", reasonCodes: [] });
      const nameless = await patch(participantId, { firstName: null, lastName: null });
      expect(nameless.participant).toMatchObject({ status: "REJECTED", reasonCodes: ["REQUIREMENT_NOT_MET"] });
    });

    it("keeps what a patch does not name, and forgets what it makes null", async () => {
      const { participantId } = await create(maria);
      const { participant } = await patch(participantId, { gender: "F", address: { city: "Niterói", state: null } });

      const { state: _state, ...address } = maria.address;
      expect(participant.fields).toEqual({
        ...maria,
        gender: "F",
        address: { ...address, city: "Niterói" },
      });
    });

    it("is not changed by a patch that breaks a rule, or that expects another version", async () => {
      const { participantId } = await create(maria);

      await expect(patch(participantId, { gender: "X" })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
      await expect(patch(participantId, { type: "BUSINESS" })).rejects.toMatchObject({
        violations: [{ field: "type", message: "must be INDIVIDUAL here" }],
      });
      await expect(patch(participantId, { gender: "F" }, 2)).rejects.toMatchObject({ reason: "PRECONDITION_FAILED" });
      const { participant } = await read(participantId);
      expect(participant).toMatchObject({ version: 1 });
    });

    it("loses no change of two writers at once", async () => {
      const { participantId } = await create(maria);

      await Promise.all([patch(participantId, { gender: "F" }), patch(participantId, { birthDate: "1990-01-01" })]);
      const raced = await Promise.allSettled([
        patch(participantId, { firstName: "Ana" }, 3),
        patch(participantId, { firstName: "Bia" }, 3),
      ]);

      const { participant } = await read(participantId);
      expect(participant).toMatchObject({ version: 4 });
      expect(shownFields(participant)).toMatchObject({ gender: "F", birthDate: "1990-01-01" });
      expect(raced.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    });

    it("takes each change of twelve writers at once, a new number of its document too", async () => {
      const { participantId } = await create({ identificationType: "PASSPORT", identification: "A-0" });
      const root = { identification: "A-1", gender: "F", firstName: "Ana", lastName: "Reis", birthDate: "1990-01-01" };
      const address = {
        addressLine1: "Rua 1",
        addressLine2: "B",
        city: "Rio",
        state: "RJ",
        postalCode: "1",
        phoneNumber: "+5521999",
        emailAddress: "a@b",
      };
      const one = (fields: object): object[] => Object.entries(fields).map(([name, value]) => ({ [name]: value }));
      const changes = [...one(root), ...one(address).map((part) => ({ address: part }))];

      await Promise.all(changes.map((change) => patch(participantId, change)));

      const { participant } = await read(participantId);
      expect(participant).toMatchObject({ version: 1 + changes.length });
      expect(shownFields(participant)).toMatchObject({ ...root, address });
    });

    it("exists for its own tenant and kind only", async () => {
      const { participantId } = await create({ companyName: "Acme" }, "COMPANY");
      const notFound = { reason: "PARTICIPANT_NOT_FOUND" };

      await expect(read(participantId, tenant, "COMPANY")).resolves.toBeDefined();
      await expect(read(participantId)).rejects.toMatchObject(notFound);
      await expect(read(participantId, "other", "COMPANY")).rejects.toMatchObject(notFound);
      await expect(patch(participantId, {})).rejects.toMatchObject(notFound);
      await expect(identity.eraseParticipant({ tenant: "other", participantId })).rejects.toMatchObject(notFound);
    });
  });

  describe("personal data", () => {
    it("stands in the store in no readable form", async () => {
      await create(maria);
      const dump = JSON.stringify(await mongo.connection.collection("participants").find({}).toArray());

      for (const secret of [canary, maria.identification, "Maria", "20000-000"]) expect(dump).not.toContain(secret);
    });

    it("gives equal documents of a tenant one index, and no other", async () => {
      const records = mongo.connection.collection<{ _id: string; documentIndex: string | null }>("participants");
      const indexOf = async (person: object): Promise<string | null | undefined> => {
        const { participantId } = await create(person);
        return (await records.findOne({ _id: participantId }))?.documentIndex;
      };
      const plain = await indexOf({ identificationType: "PASSPORT", identification: "AB-123 456" });

      expect(plain).toMatch(/^[\w-]{43}$/);
      expect(await indexOf({ identificationType: "PASSPORT", identification: "ab123456" })).toBe(plain);
      expect(await indexOf({ identificationType: "TAX_ID", identification: "ab123456" })).not.toBe(plain);
      expect(await indexOf({})).toBeNull();
    });

    it("is found by the number of its document alone, in pages, by its own tenant, until it is erased or renumbered", async () => {
      const passport = { identificationType: "PASSPORT", identification: "FP-77 01" };
      const find = async (document: object, owner = tenant): Promise<string[]> => {
        const ids: string[] = [];
        let after: string | undefined;
        do {
          const page = await identity.findParticipants({ tenant: owner, document, after, limit: 2 });
          ids.push(...page.participants.map(({ participantId }) => participantId));
          after = page.next;
        } while (after !== undefined);
        return ids;
      };
      const people = await Promise.all(Array.from({ length: 5 }, () => create(passport)));
      const ids = people.map(({ participantId }) => participantId).toSorted();
      const asWritten = { ...passport, identification: "fp7701" };

      expect(await find(asWritten)).toEqual(ids);
      expect(await find(asWritten, "other")).toEqual([]);
      expect(await find({ identification: "fp7701" })).toEqual([]);
      expect(await find({ identificationType: "PASSPORT" })).toEqual([]);
      await expect(identity.findParticipants({ tenant, document: passport, limit: 201 })).rejects.toMatchObject({
        violations: [{ field: "limit" }],
      });

      await identity.eraseParticipant({ tenant, participantId: ids[0] ?? "" });
      await patch(ids[1] ?? "", { identification: "FP-7702" });
      expect(await find(passport)).toEqual(ids.slice(2));
      expect(await find({ ...passport, identification: "FP7702" })).toEqual([ids[1]]);
    });

    it("is gone for ever when it is erased: from the store too, and from a copy of it", async () => {
      const { participantId } = await create(maria);
      const records = mongo.connection.collection<{ _id: string; dataKey: string | null }>("participants");
      const copy = await records.findOne({ _id: participantId });

      await identity.eraseParticipant({ tenant, participantId });
      await identity.eraseParticipant({ tenant, participantId });

      await expect(read(participantId)).rejects.toMatchObject({ reason: "PARTICIPANT_NOT_FOUND" });
      await expect(patch(participantId, {})).rejects.toMatchObject({ reason: "PARTICIPANT_NOT_FOUND" });
      const left = await records.findOne({ _id: participantId });
      expect(left).toMatchObject({ dataKey: null, sealed: "", documentIndex: null });
      await records.updateOne({ _id: participantId }, { $set: { sealed: String(Object(copy)["sealed"]) } });
      await expect(read(participantId)).rejects.toMatchObject({ reason: "PARTICIPANT_NOT_FOUND" });
    });
  });

  describe("a KYC session", () => {
    const open = (body: object) => identity.createSession({ tenant, session: sessionOf(body) });
    const read = (sessionId: string) => identity.getSession({ tenant, sessionId });

    it("is nowhere readable in the store, and gone with its person", async () => {
      const { participantId: personId } = await create(maria);
      const { session } = await open({ userRef: canary, personId, metadata: { note: canary } });
      const sessionId = session?.sessionId ?? "";

      const stored = await mongo.connection.collection("sessions").find({}).toArray();
      expect(JSON.stringify(stored)).not.toContain(canary);
      expect(JSON.stringify(stored)).not.toContain("/capture/");
      expect((await read(sessionId)).session).toMatchObject({
        details: { userRef: canary, metadataJson: Buffer.from(JSON.stringify({ note: canary })) },
        status: VerificationStatus.PENDING,
      });

      await identity.eraseParticipant({ tenant, participantId: personId });
      await expect(read(sessionId)).rejects.toMatchObject({ reason: "SESSION_NOT_FOUND" });
    });

    it("is not kept when its vendor does not answer", async () => {
      const count = () => mongo.connection.collection("sessions").countDocuments();
      const before = await count();
      await call("POST", `${worldUrl}/faults`, { rail: "kyc", operation: "open", status: 500, times: 1 });

      await expect(open({ userRef: "u" })).rejects.toMatchObject({ reason: "UNAVAILABLE" });
      expect(await count()).toBe(before);
      await expect(open({ userRef: "u" })).resolves.toMatchObject({ session: { status: VerificationStatus.PENDING } });
    });

    it("is one of its document alone, however many are opened at once", async () => {
      const opened = await Promise.all(Array.from({ length: 12 }, () => open({ userRef: "rival" })));
      const states = await Promise.all(opened.map(({ session }) => read(session?.sessionId ?? "")));

      const pending = states.filter(({ session }) => verificationWord(session?.status) === "PENDING");
      expect(pending).toHaveLength(1);
      expect(states.filter(({ session }) => verificationWord(session?.status) === "SUPERSEDED")).toHaveLength(
        opened.length - 1,
      );
    });
  });
});

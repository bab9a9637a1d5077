import { createHash, randomUUID } from "node:crypto";
import type {
  Document,
  UploadDocumentRequest,
  UploadDocumentResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import { changeOf, detailsOf, kindOf } from "../../support/person-intents";
import { until } from "../../support/platform-client";
import { sampleFile } from "../../support/sample-files";
import { verificationWord } from "../../support/session-intents";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const mebibyte = 1024 * 1024;
const canary = "canary-7f3a";

interface Piece {
  type?: string;
  number?: string;
  mediaType?: string;
  owner?: string;
  kind?: string;
}

describe("documents", () => {
  let testbed: IdentityTestbed;
  let identity: Identity;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    identity = await testbed.start(testbed.kindVendorUrl);
  });
  afterAll(async () => {
    await identity.stop();
    await testbed.stop();
  });

  const create = async (person: object = { firstName: "Maria" }, kind = "PERSON"): Promise<string> => {
    const { participant } = await identity.createParticipant({
      tenant,
      kind: kindOf(kind),
      details: detailsOf(person),
    });
    return participant?.participantId ?? "";
  };
  const patch = (participantId: string, change: object) =>
    identity.updateParticipant({
      tenant,
      kind: kindOf("PERSON"),
      participantId,
      ...changeOf(change),
    });
  const begin = (
    participantId: string,
    { type = "PASSPORT", mediaType = "", owner = tenant, kind = "PERSON" }: Piece,
  ) =>
    ({
      piece: {
        $case: "begin",
        value: { tenant: owner, kind: kindOf(kind), participantId, documentType: type, mediaType },
      },
    }) satisfies UploadDocumentRequest;
  const bytes = (value: Buffer): UploadDocumentRequest => ({ piece: { $case: "content", value } });
  const end = (documentNumber?: string): UploadDocumentRequest => ({
    piece: { $case: "end", value: { documentNumber } },
  });
  async function* pieces(participantId: string, content: Buffer, facts: Piece): AsyncGenerator<UploadDocumentRequest> {
    yield begin(participantId, facts);
    for (let at = 0; at < content.length; at += 60_000) yield bytes(content.subarray(at, at + 60_000));
    yield end(facts.number);
  }
  const upload = (participantId: string, content: Buffer, facts: Piece = {}): Promise<UploadDocumentResponse> =>
    identity.uploadDocument(pieces(participantId, content, facts));
  const uploaded = async (participantId: string, content: Buffer, facts: Piece = {}): Promise<Document> => {
    const { document } = await upload(participantId, content, facts);
    if (document === undefined) throw new Error("no document");
    return document;
  };
  const get = (documentId: string, participantId: string, owner = tenant, kind = "PERSON") =>
    identity.getDocument({ tenant: owner, kind: kindOf(kind), participantId, documentId });
  const statusOf = async (documentId: string): Promise<string | undefined> =>
    verificationWord((await identity.getDocument({ tenant, documentId })).document?.status);
  const readAll = async (documentId: string): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for (let part = 0; ; part += 1) {
      const { content, isLast } = await identity.readDocumentPart({ tenant, documentId, part });
      parts.push(content);
      if (isLast) return Buffer.concat(parts);
    }
  };
  const eventsOf = async (id: string): Promise<unknown[]> => {
    const records = testbed.mongo.connection.collection<{ _id: string; events: { status: string }[] }>("documents");
    return ((await records.findOne({ _id: id }))?.events ?? []).map(({ status }) => status);
  };
  const stored = async (): Promise<number[]> => {
    const counted = ["documents", "documentFiles.files", "documentFiles.chunks"].map((name) =>
      testbed.mongo.connection.collection(name).countDocuments(),
    );
    return Promise.all(counted);
  };
  const notFound = { reason: "DOCUMENT_NOT_FOUND" };

  it.each([
    ["png", "image/png", 300],
    ["jpeg", "image/jpeg", 3 * mebibyte + 17],
    ["pdf", "application/pdf", 10 * mebibyte],
  ] as const)("of type %s is kept, told of, and read back byte for byte", async (type, mediaType, size) => {
    const content = sampleFile(type, size);
    const person = await create();
    const document = await uploaded(person, content, { mediaType, number: "AB 123" });

    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(document).toMatchObject({
      documentType: "PASSPORT",
      status: VerificationStatus.PENDING,
      mediaType,
      size,
      sha256,
    });
    expect(document).toMatchObject({ participantId: person, documentNumber: "AB 123", decision: undefined });
    expect((await readAll(document.documentId)).equals(content)).toBe(true);
    expect(await eventsOf(document.documentId)).toEqual(["PENDING"]);
  });

  it("takes older spellings of a type, and the type of what is claimed to be just bytes", async () => {
    const person = await create();
    const file = sampleFile("jpeg");

    expect(await uploaded(person, file, { type: "driver-license" })).toMatchObject({ documentType: "DRIVERS_LICENSE" });
    expect(await uploaded(person, file, { mediaType: "application/octet-stream" })).toMatchObject({
      mediaType: "image/jpeg",
    });
  });

  it.each([
    ["empty", Buffer.alloc(0), {}, "INVALID_ARGUMENT", "file"],
    ["of no type that is taken", sampleFile("gif"), {}, "INVALID_ARGUMENT", "file"],
    ["of no type at all", Buffer.from("hello"), {}, "INVALID_ARGUMENT", "file"],
    ["not what it claims to be", sampleFile("pdf"), { mediaType: "image/png" }, "INVALID_ARGUMENT", "file"],
    ["of a kind that nobody knows", sampleFile("png"), { type: "LIBRARY_CARD" }, "INVALID_ARGUMENT", "documentType"],
    ["of no number", sampleFile("png"), { number: " - " }, "INVALID_ARGUMENT", "documentNumber"],
    ["one byte too long", sampleFile("png", 10 * mebibyte + 1), {}, "BODY_TOO_LARGE", undefined],
  ])("keeps nothing of a file that is %s", async (_case, content, facts, reason, field) => {
    const person = await create();
    const before = await stored();

    const refused = { reason, ...(field !== undefined && { violations: [{ field }] }) };
    await expect(upload(person, content, facts)).rejects.toMatchObject(refused);
    expect(await until(stored, (now) => now.join() === before.join())).toEqual(before);
  });

  it("keeps nothing of a file that is cut off, with or without its end", async () => {
    const person = await create();
    const before = await stored();
    async function* broken(): AsyncGenerator<UploadDocumentRequest> {
      yield begin(person, {});
      for (let at = 0; at < 40; at += 1) yield bytes(sampleFile("png", 60_000));
      throw new Error("the caller went away");
    }
    async function* endless(): AsyncGenerator<UploadDocumentRequest> {
      yield begin(person, {});
      yield bytes(sampleFile("png", 600_000));
    }

    await expect(identity.uploadDocument(broken())).rejects.toThrow("the caller went away");
    await expect(identity.uploadDocument(endless())).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    expect(await until(stored, (now) => now.join() === before.join())).toEqual(before);
  });

  it("is the same when the same file comes again, also from two at once", async () => {
    const person = await create();
    const content = sampleFile("png", mebibyte);
    const first = await upload(person, content, { number: "ab-1" });
    const before = await stored();
    const again = await upload(person, content, { number: "AB 1" });
    const fresh = sampleFile("png", mebibyte);
    const rivals = await Promise.all(Array.from({ length: 6 }, () => upload(person, fresh)));

    expect(first.isRepeat).toBe(false);
    expect(again).toEqual({ document: first.document, isRepeat: true });
    expect(new Set(rivals.map(({ document }) => document?.documentId)).size).toBe(1);
    expect(rivals.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    const oneMore = [(before[0] ?? 0) + 1, (before[1] ?? 0) + 1, (before[2] ?? 0) + 2];
    expect(await until(stored, (now) => now.join() === oneMore.join())).toEqual(oneMore);
    expect(await uploaded(person, content, { number: "ab-2" })).not.toMatchObject({
      documentId: first.document?.documentId,
    });
  });

  describe("declared with another number", () => {
    it("ends what is undecided of the number before, and nothing else", async () => {
      const person = await create();
      const front = await uploaded(person, sampleFile("png"), { number: "A1" });
      const back = await uploaded(person, sampleFile("png"));
      const licence = await uploaded(person, sampleFile("png"), { type: "DRIVERS_LICENSE", number: "A1" });
      const stranger = await uploaded(await create(), sampleFile("png"), { number: "A1" });
      const same = await uploaded(person, sampleFile("png"), { number: "a-1" });
      expect(await statusOf(front.documentId)).toBe("PENDING");

      const renewed = await uploaded(person, sampleFile("png"), { number: "B2" });

      const all = [front, back, same, licence, stranger, renewed];
      expect(await Promise.all(all.map(({ documentId }) => statusOf(documentId)))).toEqual([
        "SUPERSEDED",
        "SUPERSEDED",
        "SUPERSEDED",
        "PENDING",
        "PENDING",
        "PENDING",
      ]);
    });

    it("leaves one number of two that come at once", async () => {
      const person = await create();
      const rivals = await Promise.all(
        Array.from({ length: 6 }, (_, index) => uploaded(person, sampleFile("png"), { number: `N${index}` })),
      );

      const statuses = await Promise.all(rivals.map(({ documentId }) => statusOf(documentId)));
      expect(statuses.filter((status) => status === "PENDING")).toHaveLength(1);
    });

    it("by a change of the person does the same, in any spelling of the kind", async () => {
      const person = await create({ identificationType: "DRIVER_LICENSE", identification: "A-1" });
      const licence = await uploaded(person, sampleFile("png"), { type: "DRIVERS_LICENSE" });
      const passport = await uploaded(person, sampleFile("png"), { number: "A-1" });
      await patch(person, { identification: "a1" });
      expect(await statusOf(licence.documentId)).toBe("PENDING");

      await patch(person, { identification: "B-2" });

      expect(await statusOf(licence.documentId)).toBe("SUPERSEDED");
      expect(await statusOf(passport.documentId)).toBe("PENDING");
      await patch(person, { identificationType: "PASSPORT" });
      expect(await statusOf(passport.documentId)).toBe("SUPERSEDED");
    });

    it("may give the same file anew", async () => {
      const person = await create();
      const content = sampleFile("png");
      const first = await uploaded(person, content, { number: "A1" });
      await uploaded(person, sampleFile("png"), { number: "B2" });
      const anew = await uploaded(person, content, { number: "A1" });

      expect(anew.documentId).not.toBe(first.documentId);
      expect(anew.status).toBe(VerificationStatus.PENDING);
    });
  });

  it("has the number that its person is known by, where none is said", async () => {
    const person = await create({ identificationType: "PASSPORT", identification: "X-9" });

    expect(await uploaded(person, sampleFile("png"))).toMatchObject({ documentNumber: "X-9" });
    const other = await uploaded(person, sampleFile("png"), { type: "SSN" });
    expect(other.documentNumber).toBeUndefined();
  });

  it("is listed in pages, the newest first, for its owner", async () => {
    const person = await create();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.push((await uploaded(person, sampleFile("png"))).documentId);
    await uploaded(await create(), sampleFile("png"));
    const list = (limit: number, after?: string, participantId = person, owner = tenant) =>
      identity.listDocuments({ tenant: owner, kind: kindOf("PERSON"), participantId, limit, after });

    const first = await list(2);
    const second = await list(2, first.next);
    const third = await list(2, second.next);

    const seen = [first, second, third].flatMap(({ documents }) => documents.map(({ documentId }) => documentId));
    expect(seen.toSorted()).toEqual(made.toSorted());
    expect(third.next).toBeUndefined();
    await expect(list(2, randomUUID())).rejects.toMatchObject({ violations: [{ field: "after" }] });
    await expect(list(2, undefined, person, "other")).rejects.toMatchObject({ reason: "PARTICIPANT_NOT_FOUND" });
    await expect(list(2, undefined, randomUUID())).rejects.toMatchObject({ reason: "PARTICIPANT_NOT_FOUND" });
  });

  it("exists for its own tenant, kind and participant only", async () => {
    const person = await create();
    const stranger = await create();
    const { documentId } = await uploaded(person, sampleFile("png"));

    await expect(get(documentId, person)).resolves.toMatchObject({ document: { documentId } });
    await expect(get(documentId, stranger)).rejects.toMatchObject(notFound);
    await expect(get(documentId, person, "other")).rejects.toMatchObject(notFound);
    await expect(get(documentId, person, tenant, "COMPANY")).rejects.toMatchObject(notFound);
    const foreign = { tenant: "other", documentId, part: 0 };
    await expect(identity.readDocumentPart(foreign)).rejects.toMatchObject(notFound);
    await expect(identity.readDocumentPart({ ...foreign, tenant, part: 7 })).rejects.toMatchObject(notFound);
    await expect(upload(person, sampleFile("png"), { owner: "other" })).rejects.toMatchObject({
      reason: "PARTICIPANT_NOT_FOUND",
    });
    const company = await create({ companyName: "Acme" }, "COMPANY");
    await expect(uploaded(company, sampleFile("png"), { kind: "COMPANY" })).resolves.toBeDefined();
  });

  it("stands in the store in no readable form, and is gone with its person, also from a copy", async () => {
    const person = await create();
    const marked = Buffer.concat([sampleFile("pdf", 100), Buffer.from(canary.repeat(60_000))]);
    const { documentId, sha256 } = await uploaded(person, marked, { number: canary });
    const names = ["documents", "documentDeclarations", "documentFiles.files", "documentFiles.chunks"];
    const collections = names.map((name) => testbed.mongo.connection.collection(name));
    const dump = Buffer.concat(
      await Promise.all(
        collections.map(async (one) =>
          Buffer.from(
            JSON.stringify(await one.find({}).toArray(), (_key, value: unknown) =>
              Buffer.isBuffer(value) ? value.toString("latin1") : value,
            ),
          ),
        ),
      ),
    );
    expect(dump.includes(canary)).toBe(false);
    expect(dump.includes(Buffer.from(canary).toString("base64").slice(0, 12))).toBe(false);
    expect(dump.includes(sha256)).toBe(false);
    const copy = await collections[0]?.findOne({ _id: documentId as never });

    await identity.eraseParticipant({ tenant, participantId: person });
    await identity.eraseParticipant({ tenant, participantId: person });

    await expect(statusOf(documentId)).rejects.toMatchObject(notFound);
    await collections[0]?.replaceOne({ _id: documentId as never }, Object(copy));
    await expect(statusOf(documentId)).rejects.toMatchObject(notFound);
    const fileId = String(Object(copy)["fileId"]);
    const left = await collections[3]?.find({}, { projection: { files_id: 1 } }).toArray();
    expect(left?.some((chunk) => String(chunk["files_id"]) === fileId)).toBe(false);
  });

  it("does not open when a piece of it was moved or changed in the store", async () => {
    const { documentId } = await uploaded(await create(), sampleFile("png", 3 * 512 * 1024));
    const records = testbed.mongo.connection.collection<{ _id: string; fileId: string }>("documents");
    const fileId = (await records.findOne({ _id: documentId }))?.fileId;
    const chunks = testbed.mongo.connection.collection("documentFiles.chunks");
    const all = await chunks.find({}).toArray();
    const own = all.filter((chunk) => String(chunk["files_id"]) === fileId).toSorted((a, b) => a["n"] - b["n"]);
    await chunks.updateOne({ files_id: own[0]?.["files_id"], n: 0 }, { $set: { data: own[1]?.["data"] } });

    await expect(readAll(documentId)).rejects.toMatchObject({ reason: "INTERNAL" });
  });

  describe("decided by an operator", () => {
    const decide = (documentId: string, accept: boolean, author = "ann", note = `because ${canary}`, owner = tenant) =>
      identity.decideDocument({ tenant: owner, documentId, accept, author, note });

    it("has the decision, its author and note, and tells nobody where document reading is switched off", async () => {
      const { documentId } = await uploaded(await create(), sampleFile("png"));
      const { document } = await decide(documentId, true);

      expect(document).toMatchObject({
        status: VerificationStatus.VERIFIED,
        decision: { status: VerificationStatus.VERIFIED, author: "ann" },
      });
      expect(document?.decision?.note).toBe(`because ${canary}`);
      expect(await eventsOf(documentId)).toEqual(["PENDING"]);
      expect(JSON.stringify(await testbed.mongo.connection.collection("documents").find({}).toArray())).not.toContain(
        canary,
      );
      expect((await decide(documentId, true, "bob")).document?.decision?.author).toBe("ann");
      expect((await decide(documentId, false, "bob")).document).toMatchObject({ status: VerificationStatus.REJECTED });
    });

    it("is decided by one of two at once first, and by the other after", async () => {
      const { documentId } = await uploaded(await create(), sampleFile("png"));
      const rivals = await Promise.all([decide(documentId, true, "ann"), decide(documentId, false, "bob")]);

      expect(rivals.map(({ document }) => verificationWord(document?.status))).toEqual(["VERIFIED", "REJECTED"]);
      const { document } = await identity.getDocument({ tenant, documentId });
      expect(document?.decision?.author).toBe(document?.status === VerificationStatus.VERIFIED ? "ann" : "bob");
    });

    it("is not decided without a note, by another tenant, or once it is superseded", async () => {
      const person = await create();
      const { documentId } = await uploaded(person, sampleFile("png"), { number: "A" });

      await expect(decide(documentId, true, "ann", " ")).rejects.toMatchObject({ violations: [{ field: "note" }] });
      await expect(decide(documentId, true, "ann", "x", "other")).rejects.toMatchObject(notFound);
      await expect(decide(randomUUID(), true)).rejects.toMatchObject(notFound);
      await uploaded(person, sampleFile("png"), { number: "B" });
      await expect(decide(documentId, true)).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    });

    it("waits in a list of its tenant until then, the oldest first", async () => {
      const person = await create();
      const made: string[] = [];
      for (let count = 0; count < 3; count += 1) made.push((await uploaded(person, sampleFile("png"))).documentId);
      const waiting = async (owner = tenant): Promise<string[]> => {
        const found: string[] = [];
        let after: string | undefined;
        do {
          const page = await identity.listPendingDocuments({ tenant: owner, limit: 2, after });
          found.push(...page.documents.map(({ documentId }) => documentId));
          after = page.next;
        } while (after !== undefined);
        return found;
      };

      expect((await waiting()).filter((id) => made.includes(id))).toEqual(made);
      await decide(made[1] ?? "", true);
      expect((await waiting()).filter((id) => made.includes(id))).toEqual([made[0], made[2]]);
      expect(await waiting("other")).toEqual([]);
    });
  });

  it("leaves its person as it was when the person is patched in other ways", async () => {
    const person = await create({ identificationType: "PASSPORT", identification: "X-9" });
    const { documentId } = await uploaded(person, sampleFile("png"));

    await patch(person, { gender: "F" });

    expect(await statusOf(documentId)).toBe("PENDING");
  });
});

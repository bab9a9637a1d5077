import { randomUUID } from "node:crypto";
import type { UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import type { Sandbox } from "../../../sandbox/app";
import { signCallback } from "../../../services/shared/crypto/callback-signature";
import { detailsOf, kindOf } from "../../support/person-intents";
import { until } from "../../support/platform-client";
import { sampleFile } from "../../support/sample-files";
import { verificationWord } from "../../support/session-intents";
import { call, callbackSecret, startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

describe("document reading", () => {
  let testbed: IdentityTestbed;
  let identity: Identity;
  let world: Sandbox;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    world = await startWorld();
    identity = await testbed.start(world.url, { DOCUMENT_READING_TENANTS: "demo,third" });
  });
  afterAll(async () => {
    await identity.stop();
    await world.stop();
    await testbed.stop();
  });

  const upload = async (documentNumber: string, tenant = "demo", content = sampleFile("png")) => {
    const details = detailsOf({ firstName: "Maria" });
    const { participant } = await identity.createParticipant({ tenant, kind: kindOf("PERSON"), details });
    const participantId = participant?.participantId ?? "";
    async function* pieces(): AsyncGenerator<UploadDocumentRequest> {
      const begin = { tenant, kind: kindOf("PERSON"), participantId, documentType: "PASSPORT", mediaType: "" };
      yield { piece: { $case: "begin", value: begin } };
      for (let at = 0; at < content.length; at += 60_000) {
        yield { piece: { $case: "content", value: content.subarray(at, at + 60_000) } };
      }
      yield { piece: { $case: "end", value: { documentNumber } } };
    }
    const { document } = await identity.uploadDocument(pieces());
    if (document === undefined) throw new Error("no document");
    return document;
  };
  const statusOf = async (documentId: string, tenant = "demo") =>
    verificationWord((await identity.getDocument({ tenant, documentId })).document?.status);
  const comesTo = (documentId: string, status: string) =>
    until(
      () => statusOf(documentId),
      (found) => found === status,
    );
  const eventsOf = async (id: string): Promise<string[]> => {
    const records = testbed.mongo.connection.collection<{ _id: string; events: { status: string }[] }>("documents");
    return ((await records.findOne({ _id: id }))?.events ?? []).map(({ status }) => status);
  };
  const fault = (operation: string, rule: object) =>
    call("POST", `${world.url}/faults`, { rail: "documents", operation, times: 1, ...rule });
  const report = (body: object, secret = callbackSecret) => {
    const text = JSON.stringify(body);
    const signature = signCallback(secret, "documents", randomUUID(), Math.floor(Date.now() / 1_000), text);
    return identity.receiveDocumentReport({ signature, body: Buffer.from(text) });
  };

  it.each([
    ["-verify", "VERIFIED", ["VERIFIED"]],
    ["-reject", "REJECTED", ["REJECTED"]],
    ["-error", "ERRORED", ["ERRORED"]],
    ["-review", "PENDING", ["PENDING"]],
  ])("that answers %s at once leaves a document %s with the events %j", async (ending, status, events) => {
    const document = await upload(`AB1${ending}`, "demo", sampleFile("png", 1_500_000));

    expect(verificationWord(document.status)).toBe(status);
    expect(await eventsOf(document.documentId)).toEqual(events);
    if (status === "REJECTED") expect(document.decision?.reasonCode).toBe("DOCUMENT_NOT_GENUINE");
  });

  it("that decides later is heard of later, and is asked when it does not call", async () => {
    const { documentId, status } = await upload("AB1");
    expect(status).toBe(VerificationStatus.PENDING);

    expect(await comesTo(documentId, "VERIFIED")).toBe("VERIFIED");
    expect(await eventsOf(documentId)).toEqual(["PENDING", "VERIFIED"]);
  });

  it("that is silent leaves a document PENDING and told, and gets it again", async () => {
    await fault("submit", { status: 500 });
    const { documentId, status } = await upload("AB1-reject");
    expect(status).toBe(VerificationStatus.PENDING);
    expect(await eventsOf(documentId)).toEqual(["PENDING"]);

    expect(await comesTo(documentId, "REJECTED")).toBe("REJECTED");
    expect(await eventsOf(documentId)).toEqual(["PENDING", "REJECTED"]);
  });

  it("that took a file without an answer is asked, and not given it twice", async () => {
    await fault("submit", { timeoutAfterExecute: true });
    const { documentId } = await upload("AB1-verify");

    expect(await comesTo(documentId, "VERIFIED")).toBe("VERIFIED");
  });

  it("is off for other tenants: only PENDING is told, and people decide", async () => {
    const { documentId } = await upload("AB1-verify", "other");
    expect(await statusOf(documentId, "other")).toBe("PENDING");

    await identity.decideDocument({ tenant: "other", documentId, accept: true, author: "ann", note: "seen" });

    expect(await statusOf(documentId, "other")).toBe("VERIFIED");
    expect(await eventsOf(documentId)).toEqual(["PENDING"]);
  });

  it("is heard by its signed reports alone, each once, in any spelling, and never against a person", async () => {
    const { documentId } = await upload("AB1-review");
    const said = { reference: documentId, status: "Verified", revision: 5, occurredAt: new Date().toISOString() };

    await expect(report(said, "wrong")).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });
    await expect(report({ ...said, status: "GOOD" })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    await Promise.all([report(said), report(said)]);
    await report({ ...said, revision: 4, status: "REJECTED" });
    expect(await eventsOf(documentId)).toEqual(["PENDING", "VERIFIED"]);
    await identity.decideDocument({ tenant: "demo", documentId, accept: false, author: "ann", note: "seen" });
    await report({ ...said, revision: 6 });
    expect(await statusOf(documentId)).toBe("REJECTED");
    await report({ ...said, reference: "nobody" });
  });

  it("carries on with a document whose process died before it was read", async () => {
    const { documentId } = await upload("AB1-review");
    const records = testbed.mongo.connection.collection<{ _id: string }>("documents");
    const back = { status: "RECEIVED", events: [], eventCount: 0, revision: 0, dueAt: new Date() };
    await records.updateOne({ _id: documentId }, { $set: back, $inc: { version: 1 } });

    const events = await until(
      () => eventsOf(documentId),
      (found) => found.length > 0,
    );
    expect(events).toEqual(["PENDING"]);
  });
});

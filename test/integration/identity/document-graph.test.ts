import { randomUUID } from "node:crypto";
import type { UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import type { DocumentStatus } from "../../../services/identity/domain/document";
import { signCallback } from "../../../services/shared/crypto/callback-signature";
import { hasReason } from "../../../services/shared/kernel/errors";
import { type DocumentInput, documentCells, meant } from "../../data/documents/graph";
import { detailsOf, kindOf } from "../../support/person-intents";
import { sampleFile } from "../../support/sample-files";
import { aboutDocument, verificationWord } from "../../support/session-intents";
import { callbackSecret } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

jest.setTimeout(60_000);

interface StoredDocument {
  _id: string;
  status: DocumentStatus;
  revision: number;
  events: { status: string }[];
}

/** One uploaded document, and whose it is. */
interface Given {
  tenant: string;
  participantId: string;
  documentId: string;
}

describe("the state graph of a document, as the service has it", () => {
  let testbed: IdentityTestbed;
  let identity: Identity;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    // There is no reader: the test says what it reads, and asking it is in vain.
    identity = await testbed.start(testbed.kindVendorUrl, { DOCUMENT_READING_TENANTS: "demo" });
  }, 60_000);
  afterAll(async () => {
    await identity.stop();
    await testbed.stop();
  });

  const documents = () => testbed.mongo.connection.collection<StoredDocument>("documents");
  const stored = async (documentId: string): Promise<StoredDocument> => {
    const found = await documents().findOne({ _id: documentId });
    if (found === null) throw new Error("no such document is stored");
    return found;
  };
  const upload = async (tenant: string, participantId: string, documentNumber: string): Promise<string> => {
    const begin = { tenant, kind: kindOf("PERSON"), participantId, documentType: "PASSPORT", mediaType: "" };
    async function* pieces(): AsyncGenerator<UploadDocumentRequest> {
      yield { piece: { $case: "begin", value: begin } };
      yield { piece: { $case: "content", value: sampleFile("png") } };
      yield { piece: { $case: "end", value: { documentNumber } } };
    }
    return (await identity.uploadDocument(pieces())).document?.documentId ?? "";
  };
  const report = (reference: string, status: string, revision: number) => {
    const body = JSON.stringify({ reference, status, revision, occurredAt: new Date().toISOString() });
    const signature = signCallback(callbackSecret, "documents", randomUUID(), Math.floor(Date.now() / 1_000), body);
    return identity.receiveDocumentReport({ signature, body: Buffer.from(body) });
  };

  async function happen({ tenant, participantId, documentId }: Given, input: DocumentInput): Promise<void> {
    switch (input) {
      case "wait":
        await identity.createVerification({ tenant, ...aboutDocument(documentId) });
        return;
      case "late":
        await report(documentId, "REJECTED", (await stored(documentId)).revision);
        return;
      case "accept":
      case "refuse":
        await identity.decideDocument({ tenant, documentId, accept: input === "accept", author: "ann", note: "seen" });
        return;
      case "replace":
        await upload(tenant, participantId, `other-${documentId}`);
        return;
      default:
        await report(documentId, input, 20);
    }
  }

  async function documentIn(status: DocumentStatus, isRead: boolean): Promise<Given> {
    const tenant = isRead ? "demo" : "other";
    const { participant } = await identity.createParticipant({
      tenant,
      kind: kindOf("PERSON"),
      details: detailsOf({}),
    });
    const participantId = participant?.participantId ?? "";
    const given = { tenant, participantId, documentId: await upload(tenant, participantId, "first") };
    if (status === "RECEIVED") {
      // As it was before its reader was asked for the first time, and for long enough.
      const back = { status, events: [], eventCount: 0, dueAt: new Date(Date.now() + 3_600_000) };
      await documents().updateOne({ _id: given.documentId }, { $set: back, $inc: { version: 1 } });
    } else if (status === "SUPERSEDED") await happen(given, "replace");
    else if (status !== "PENDING" && isRead) await report(given.documentId, status, 10);
    else if (status !== "PENDING") await happen(given, status === "VERIFIED" ? "accept" : "refuse");
    expect((await stored(given.documentId)).status).toBe(status);
    return given;
  }

  // Without document reading every document is announced: with its upload.
  const cells = documentCells.filter(({ isRead, status }) => isRead || status !== "RECEIVED");

  it.each(cells)(
    "$status, $input, read: $isRead → $outcome, also twice",
    async ({ status, input, isRead, outcome }) => {
      const given = await documentIn(status, isRead);
      const before = (await stored(given.documentId)).events.length;

      for (let turn = 0; turn < 2; turn += 1) {
        const refusal = await happen(given, input).catch((error: unknown) => error);
        expect(hasReason(refusal, "RECORD_CONFLICT")).toBe(outcome === "!");
      }

      const after = await stored(given.documentId);
      const expected = meant(status, outcome);
      expect(after.status).toBe(expected.status);
      expect(after.events.slice(before).map((event) => event.status)).toEqual(expected.told);
      const { document } = await identity.getDocument({ tenant: given.tenant, documentId: given.documentId });
      expect(verificationWord(document?.status)).toBe(expected.status === "RECEIVED" ? "PENDING" : expected.status);
    },
  );
});

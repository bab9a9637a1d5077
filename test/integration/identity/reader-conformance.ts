import { createHash, randomUUID } from "node:crypto";
import type { DocumentReport } from "../../../services/identity/domain/document";
import type { DocumentReader, ReadableFile } from "../../../services/identity/ports";
import { hasReason } from "../../../services/shared/kernel/errors";
import { sampleFile } from "../../support/sample-files";
import type { SentCallback, VendorFault } from "./vendor-conformance";

/** What the test environment makes of a file: at once, or a moment later. */
export type Reading = "verified" | "rejected" | "review" | "errored" | "verified later";

/** An adapter under test, connected to a test environment of its vendor that can be driven and can misbehave. */
export interface ReaderSubject {
  reader: DocumentReader;
  /** The same adapter without a provider at the other end. */
  unreachable: DocumentReader;
  /** A document number of which the test environment makes this. */
  numberFor(reading: Reading): string;
  fault(operation: "submit" | "query", fault: VendorFault): Promise<void>;
  /** The files that the vendor has under our id, by the hash of what arrived. */
  taken(documentId: string): Promise<readonly { sha256: string }[]>;
  /** All callbacks about a document so far, in order; waits until there are so many. */
  callbacks(documentId: string, count: number): Promise<readonly SentCallback[]>;
}

const piece = 64 * 1024;

/** What every adapter of a vendor that reads documents promises (docs/verification-vendors.md), as tests. */
export function describeReaderConformance(name: string, subject: () => ReaderSubject): void {
  /** A file that can be given any number of times. */
  const fileFor = (reading: Reading, size = 3_000) => {
    const bytes = sampleFile("png", size);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const facts = { mediaType: "image/png", size, sha256, number: subject().numberFor(reading) };
    const id = randomUUID();
    async function* content(): AsyncGenerator<Buffer> {
      for (let at = 0; at < size; at += piece) yield bytes.subarray(at, at + piece);
    }
    return { id, facts, file: (): ReadableFile => ({ id, documentType: "PASSPORT", facts, content: content() }) };
  };
  const given = async (reading: Reading): Promise<{ id: string; first: DocumentReport }> => {
    const { id, file } = fileFor(reading);
    const first = await subject().reader.submit(file());
    if (first === undefined) throw new Error("the vendor does not say what it makes of a file");
    return { id, first };
  };
  const ask = async (id: string): Promise<DocumentReport> => {
    const report = await subject().reader.ask(id);
    if (report === undefined || report === "unknown")
      throw new Error(`the vendor says ${report} of a file that it has`);
    return report;
  };
  const reasonOf = (work: () => unknown): string => {
    try {
      work();
      return "none";
    } catch (error) {
      return hasReason(error, "UNAUTHENTICATED") ? "UNAUTHENTICATED" : "INVALID_ARGUMENT";
    }
  };

  describe(`the document reader ${name}`, () => {
    it.each<[Reading, DocumentReport["status"]]>([
      ["verified", "VERIFIED"],
      ["rejected", "REJECTED"],
      ["review", "IN_REVIEW"],
      ["errored", "ERRORED"],
      ["verified later", "READING"],
    ])("answers a file that is %s with %s, and says the same when it is asked", async (reading, status) => {
      const { id, first } = await given(reading);

      expect(first).toMatchObject({ documentId: id, status });
      expect(first.revision).toBeGreaterThan(0);
      if (reading !== "verified later") expect(await ask(id)).toEqual(first);
      if (reading === "rejected") expect(first.reasonCode).toMatch(/^[A-Z][A-Z_]*$/);
    });

    it("gives the vendor every byte of the largest file, as it comes", async () => {
      const { id, facts, file } = fileFor("verified", 10 * 1024 * 1024);

      expect(await subject().reader.submit(file())).toMatchObject({ status: "VERIFIED" });
      expect(await subject().taken(id)).toMatchObject([{ sha256: facts.sha256 }]);
    });

    it("gives one file under one id, however often it is told, and hears the same", async () => {
      const { id, file } = fileFor("verified");
      const reports = [];
      for (let turn = 0; turn < 3; turn += 1) reports.push(await subject().reader.submit(file()));

      expect(reports[0]).toMatchObject({ documentId: id });
      expect(reports).toEqual([reports[0], reports[0], reports[0]]);
      expect(await subject().taken(id)).toHaveLength(1);
    });

    it.each(["executed-unanswered", "refused-with-503"] as const)(
      "says nothing of a file whose answer is %s, and finds it or gives it again later",
      async (fault) => {
        const { id, file } = fileFor("rejected");
        await subject().fault("submit", fault);
        expect(await subject().reader.submit(file())).toBeUndefined();

        const known = await subject().reader.ask(id);
        if (fault === "executed-unanswered") expect(known).toMatchObject({ documentId: id, status: "REJECTED" });
        else expect(known).toBe("unknown");
        expect(await subject().reader.submit(file())).toMatchObject({ status: "REJECTED" });
        expect(await subject().taken(id)).toHaveLength(1);
      },
    );

    it("says nothing of a file whose content breaks off, and takes it whole afterwards", async () => {
      const { id, facts, file } = fileFor("verified", 200_000);
      async function* broken(): AsyncGenerator<Buffer> {
        yield sampleFile("png", piece);
        throw new Error("a piece of the file is not there");
      }
      expect(await subject().reader.submit({ ...file(), content: broken() })).toBeUndefined();
      expect(await subject().reader.ask(id)).toBe("unknown");

      expect(await subject().reader.submit(file())).toMatchObject({ status: "VERIFIED" });
      expect(await subject().taken(id)).toMatchObject([{ sha256: facts.sha256 }]);
    });

    it("numbers what it says: a later decision has a greater revision, in its callback and when it is asked", async () => {
      const { id, first } = await given("verified later");
      const [sent] = await subject().callbacks(id, 1);
      if (sent === undefined) throw new Error("the vendor did not call");
      const heard = subject().reader.readReport(sent.signature, sent.body);

      expect(heard).toMatchObject({ documentId: id, status: "VERIFIED" });
      expect(heard.revision).toBeGreaterThan(first.revision);
      expect(await ask(id)).toEqual(heard);
      expect(await ask(id)).toEqual(heard);
    });

    it("reads no callback that somebody else wrote or changed, and none that is no report", async () => {
      const { id } = await given("verified later");
      const { reader, callbacks } = subject();
      for (const { signature, body } of await callbacks(id, 1)) {
        const changed = Buffer.from(body);
        changed.writeUInt8(changed.readUInt8(changed.length - 2) ^ 1, changed.length - 2);
        expect(reasonOf(() => reader.readReport(signature, changed))).toBe("UNAUTHENTICATED");
        expect(reasonOf(() => reader.readReport("", body))).toBe("UNAUTHENTICATED");
        expect(reasonOf(() => reader.readReport(`${signature}0`, body))).toBe("UNAUTHENTICATED");
        expect(reasonOf(() => reader.readReport(signature, body))).toBe("none");
      }
    });

    it("tells a file that the vendor does not know from a vendor that is silent", async () => {
      const { reader, unreachable, fault } = subject();
      const { id } = await given("verified");
      const { file } = fileFor("verified");

      expect(await reader.ask(randomUUID())).toBe("unknown");
      for (const one of ["executed-unanswered", "refused-with-503"] as const) {
        await fault("query", one);
        expect(await reader.ask(id)).toBeUndefined();
      }
      expect(await unreachable.ask(id)).toBeUndefined();
      expect(await unreachable.submit(file())).toBeUndefined();
    });
  });
}

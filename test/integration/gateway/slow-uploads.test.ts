import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Document, UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import { DomainError } from "../../../services/shared/kernel/errors";
import { until } from "../../support/platform-client";
import { httpCall } from "./http-call";
import { unboundKeys } from "./peers";
import { startTestGateway, type TestGateway } from "./test-gateway";

const key = "key-of-a-tenant";
const pieceBytes = 20_000;
const pause = 200;
/** Requests have two seconds; uploads more, at 2,000 bytes a second. */
const settings = { GATEWAY_REQUEST_MS: "2000", GATEWAY_UPLOAD_MS: "30000", GATEWAY_UPLOAD_BYTES_PER_SECOND: "2000" };
const formStart = `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: image/png\r\n\r\n`;
const formEnd = "\r\n--b--\r\n";

interface Sending {
  path?: string;
  type?: string;
  key?: string;
  /** Sent one by one, with a pause between them. */
  pieces: Iterable<string>;
  /** Says that so much more will come than does. */
  missing?: number;
  /** False ends the connection with its answer. */
  isKept?: boolean;
}

/** Sends a request piece by piece, for as long as it is taken; what was answered, and for how long pieces were taken. */
async function send(
  port: number,
  { path, type, key: given = key, pieces, missing, isKept = false }: Sending,
): Promise<{ answer: string; sentMs: number }> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  let isOpen = true;
  socket.on("data", (text) => {
    answer += text.toString();
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      isOpen = false;
      resolve();
    });
  });
  const all = [...pieces];
  const length = all.join("").length + (missing ?? 0);
  const startMs = performance.now();
  socket.write(
    `POST ${path ?? "/people/p/documents/PASSPORT"} HTTP/1.1\r\nhost: a\r\nx-api-key: ${given}\r\n` +
      `connection: ${isKept ? "keep-alive" : "close"}\r\n` +
      `content-type: ${type ?? "multipart/form-data; boundary=b"}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  for (const piece of all) {
    if (!isOpen) break;
    socket.write(piece);
    await sleep(pause);
  }
  const sentMs = performance.now() - startMs;
  await closed;
  return { answer, sentMs };
}

const steps = (count: number, bytes: number): string[] => Array.from({ length: count }, () => "x".repeat(bytes));
function documentOf(size: number): Document {
  const at = new Date();
  const facts = { documentType: "PASSPORT", status: VerificationStatus.PENDING, mediaType: "image/png", sha256: "" };
  const none = { documentNumber: undefined, decision: undefined };
  return { documentId: "d", participantId: "p", ...facts, ...none, size, createdAt: at, updatedAt: at };
}

const form = (content: readonly string[]): string[] => [formStart, ...content, formEnd];

describe("uploads through the gateway", () => {
  let platform: TestGateway;
  let hurried: TestGateway;
  let arrived: number[] = [];
  let begun = 0;
  const peers = {
    auth: {
      authenticateKey: ({ apiKey }: { apiKey: string }) =>
        apiKey === key
          ? Promise.resolve({ tenant: "demo", ...unboundKeys })
          : Promise.reject(new DomainError("UNAUTHENTICATED", "no such key")),
    },
    identity: {
      async uploadDocument(pieces: AsyncIterable<UploadDocumentRequest>) {
        let size = 0;
        for await (const { piece } of pieces) {
          if (piece?.$case === "begin" && piece.value.participantId === "nobody") {
            throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");
          }
          if (piece?.$case === "begin") begun += 1;
          if (piece?.$case === "content") size += piece.value.length;
          if (piece?.$case === "end") arrived.push(size);
        }
        return { document: documentOf(size), isRepeat: false };
      },
      getDocument: () => Promise.resolve({ document: documentOf(1) }),
    },
  };
  beforeAll(async () => {
    platform = await startTestGateway(peers, settings);
    hurried = await startTestGateway(peers, { ...settings, GATEWAY_UPLOAD_MS: "2500" });
  });
  beforeEach(() => {
    arrived = [];
    begun = 0;
  });

  it("may take far longer than other requests, as long as they come", async () => {
    const { answer, sentMs } = await send(platform.port, { pieces: form(steps(18, pieceBytes)) });

    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(sentMs).toBeGreaterThan(3_000);
    expect(arrived).toEqual([18 * pieceBytes]);
  });

  it("are cut off that trickle in, or stop coming", async () => {
    const answers = await Promise.all([
      send(platform.port, { pieces: form(steps(200, 1)) }),
      send(platform.port, { pieces: [formStart, ...steps(8, pieceBytes)], missing: 9 }),
    ]);

    for (const { answer, sentMs } of answers) {
      expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n[\s\S]*connection: close\r\n\r\n{"code":"REQ_408",/);
      expect(sentMs).toBeLessThan(20_000);
    }
    expect(arrived).toEqual([]);
  });

  it("take no place among the requests in flight until they are there", async () => {
    const narrow = await startTestGateway(peers, { ...settings, GATEWAY_MAX_IN_FLIGHT: "1" });
    const sending = send(narrow.port, { pieces: form(steps(18, pieceBytes)) });
    await until(
      () => Promise.resolve(begun),
      (uploads) => uploads === 1,
    );

    const headers = { "x-api-key": key };
    expect((await httpCall(narrow.port, "/people/p/documents/d", { headers })).status).toBe(200);
    expect(arrived).toEqual([]);
    expect((await sending).answer).toMatch(/^HTTP\/1.1 200 /);
    // The place that it took then was given back.
    expect((await httpCall(narrow.port, "/people/p/documents/d", { headers })).status).toBe(200);
  });

  it("are cut off when their time is over, however fast they come", async () => {
    const { answer, sentMs } = await send(hurried.port, { pieces: form(steps(200, pieceBytes)) });

    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(sentMs).toBeGreaterThan(2_000);
    expect(sentMs).toBeLessThan(30_000);
  });

  it("alone have that time: no other request, form of a stranger, or form that was refused already", async () => {
    const content = form(steps(100, pieceBytes));
    const answers = await Promise.all([
      send(platform.port, { pieces: steps(100, 600), path: "/people", type: "application/json" }),
      send(platform.port, { pieces: content, path: "/people" }),
      send(platform.port, { pieces: content, key: "stranger" }),
      send(platform.port, { pieces: content, path: "/people/nobody/documents/PASSPORT", isKept: true }),
    ]);

    for (const { sentMs } of answers) expect(sentMs).toBeLessThan(15_000);
    expect(answers.map(({ answer }) => /^HTTP\/1.1 (\d+)/.exec(answer)?.[1])).toEqual(["408", "415", "401", "404"]);
    expect(arrived).toEqual([]);
  });
});

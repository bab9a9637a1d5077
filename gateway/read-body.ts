import type { IncomingMessage } from "node:http";
import { DomainError } from "../services/shared/kernel/errors";
import type { BodyKind } from "./route";

/** Largest request body, bytes. */
const maxBodyBytes = 64 * 1024;

const mediaTypes: Record<BodyKind, RegExp | undefined> = {
  none: undefined,
  json: /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i,
  optionalJson: /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i,
  form: /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i,
  bytes: undefined,
  file: undefined,
};

const emptyObject = Buffer.from("{}");

const tooLarge = (): DomainError =>
  new DomainError("BODY_TOO_LARGE", `the body must be at most ${maxBodyBytes} bytes long`);

/**
 * Reads a body of the given kind, never more than the limit; a file is left to its handler. A wrong media type or any content encoding is
 * refused before a byte is read, and before `ask`, which asks a waiting sender for the body. The server discards what a refused request
 * still sends.
 */
export async function readBody(request: IncomingMessage, kind: BodyKind, ask: () => void): Promise<Buffer> {
  if (kind === "none" || kind === "file") return Buffer.alloc(0);
  const { "content-type": contentType, "content-encoding": encoding, "content-length": length } = request.headers;
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new DomainError("MEDIA_TYPE_UNSUPPORTED", "content-encoding is not supported");
  }
  const isAbsent = length === undefined ? request.headers["transfer-encoding"] === undefined : /^0+$/.test(length);
  if (kind === "optionalJson" && isAbsent) return emptyObject;
  const mediaType = mediaTypes[kind];
  if (mediaType !== undefined && !mediaType.test(contentType ?? "")) {
    const wanted = kind !== "form" ? "application/json" : "application/x-www-form-urlencoded";
    throw new DomainError("MEDIA_TYPE_UNSUPPORTED", `content-type must be ${wanted}`);
  }
  if (length !== undefined && Number.parseInt(length, 10) > maxBodyBytes) throw tooLarge();
  ask();
  return collect(request);
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBodyBytes) return void chunks.push(chunk);
      request.off("data", onData);
      request.resume();
      reject(tooLarge());
    };
    request.on("data", onData);
    request.once("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.once("error", (cause) =>
      reject(new DomainError("INVALID_ARGUMENT", "the body ended before it was complete", { cause })),
    );
  });
}

import { createHash } from "node:crypto";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { type DocumentFacts, documentMediaTypes, maxDocumentBytes } from "../domain/document";

/** Facts about a file, found while it passed through. */
export type ContentFacts = Pick<DocumentFacts, "mediaType" | "size" | "sha256">;

/** Enough bytes for the longest signature of a type. */
const headBytes = 4_100;
/** Media types that claim nothing. */
const noClaim: ReadonlySet<string> = new Set(["", "application/octet-stream"]);

/**
 * Passes a file on while measuring it, and reports its facts at its end. Throws INVALID_ARGUMENT when it is empty, or when its content is
 * of a type that is not accepted or not the claimed one; and BODY_TOO_LARGE as soon as it is too large.
 */
export async function* inspectContent(
  content: AsyncIterable<Uint8Array>,
  claimedType: string,
  report: (facts: ContentFacts) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let size = 0;
  let mediaType: string | undefined;
  let head = Buffer.alloc(0);
  for await (const bytes of content) {
    size += bytes.length;
    if (size > maxDocumentBytes) {
      throw new DomainError("BODY_TOO_LARGE", `a document must be at most ${maxDocumentBytes} bytes long`);
    }
    hash.update(bytes);
    if (mediaType !== undefined) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length < headBytes) continue;
    mediaType = await requireType(head, claimedType);
    yield head;
  }
  if (mediaType === undefined) {
    mediaType = await requireType(head, claimedType);
    yield head;
  }
  report({ mediaType, size, sha256: hash.digest("hex") });
}

async function requireType(head: Buffer, claimedType: string): Promise<string> {
  if (head.length === 0) throw refused("must not be empty");
  // The library is available as an ES module only.
  const { fileTypeFromBuffer } = await import("file-type");
  const found = (await fileTypeFromBuffer(head))?.mime;
  if (found === undefined || !documentMediaTypes.includes(found)) throw refused("must be a JPEG, PNG or PDF file");
  const claimed = claimedType.toLowerCase() === "image/jpg" ? "image/jpeg" : claimedType.toLowerCase();
  if (!noClaim.has(claimed) && claimed !== found) throw refused("is not of the type that its content-type says");
  return found;
}

const refused = (message: string): DomainError => invalid([{ field: "file", message }]);

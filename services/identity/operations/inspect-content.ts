import { createHash } from "node:crypto";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { type DocumentFacts, documentMediaTypes, maxDocumentBytes } from "../domain/document";

/** What was found out of a file while it went by. */
export type ContentFacts = Pick<DocumentFacts, "mediaType" | "size" | "sha256">;

/** As much as the longest signature of a type may need. */
const headBytes = 4_100;
/** Claims that say nothing. */
const noClaim: ReadonlySet<string> = new Set(["", "application/octet-stream"]);

/**
 * Passes a file on while it is measured, and reports its facts at its end. Throws INVALID_ARGUMENT when it is empty, when its
 * content is of no type that is taken or of another than is claimed; and BODY_TOO_LARGE as soon as it is.
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
  // The library exists as a module of the newer kind alone.
  const { fileTypeFromBuffer } = await import("file-type");
  const found = (await fileTypeFromBuffer(head))?.mime;
  if (found === undefined || !documentMediaTypes.includes(found)) throw refused("must be a JPEG, PNG or PDF file");
  const claimed = claimedType.toLowerCase() === "image/jpg" ? "image/jpeg" : claimedType.toLowerCase();
  if (!noClaim.has(claimed) && claimed !== found) throw refused("is not of the type that its content-type says");
  return found;
}

const refused = (message: string): DomainError => invalid([{ field: "file", message }]);

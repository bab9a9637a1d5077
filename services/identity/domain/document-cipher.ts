import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { makeSealer } from "../../shared/crypto/sealing";
import type { Ids } from "../../shared/kernel/ids";
import type { Document, DocumentFacts } from "./document";

/** Bytes of a file that are sealed together. */
export const segmentBytes = 512 * 1024;
export const tagBytes = 16;
const algorithm = "aes-256-gcm";

/**
 * Seals a file segment by segment with AES-256-GCM, in the manner of STREAM (Hoang, Reyhanitabar, Rogaway and Vizár 2015): the
 * nonce holds the segment's position and whether it is the last, so that segments that are moved, left out, cut off or
 * added do not open. The key must be the file's alone. Every segment but the last is full.
 */
export async function* sealSegments(key: Buffer, content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let index = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const bytes of content) {
    held.push(Buffer.from(bytes));
    heldBytes += bytes.length;
    // What fills a segment exactly is kept back: it may be the end.
    while (heldBytes > segmentBytes) {
      const all = Buffer.concat(held);
      yield sealSegment(key, index, false, all.subarray(0, segmentBytes));
      index += 1;
      held = [all.subarray(segmentBytes)];
      heldBytes = all.length - segmentBytes;
    }
  }
  yield sealSegment(key, index, true, Buffer.concat(held));
}

function sealSegment(key: Buffer, index: number, isLast: boolean, plain: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonceOf(index, isLast));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens one segment. Throws when it is not the segment of this file at this position. */
export function openSegment(key: Buffer, index: number, isLast: boolean, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, nonceOf(index, isLast), { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** How many segments a file of a size has: at least one. */
export const segmentsOf = (size: number): number => Math.max(1, Math.ceil(size / segmentBytes));

/** Where a document's key is used. */
type Place = Pick<Document, "tenant" | "id">;

/** The key of a file, made from the participant's: it needs no place of its own and goes with it (HKDF, RFC 5869). */
export const fileKeyOf = (participantKey: Buffer, { tenant, fileId }: Pick<Document, "tenant" | "fileId">): Buffer =>
  Buffer.from(hkdfSync("sha256", participantKey, "", `${tenant}|documentFiles|${fileId}`, 32));

const factsSealer = (participantKey: Buffer, { tenant, id }: Place, ids: Pick<Ids, "bytes">) =>
  makeSealer(Buffer.from(hkdfSync("sha256", participantKey, "", `${tenant}|documents|${id}`, 32)), ids);

const factsPlace = ({ tenant, id }: Place): string => `${tenant}|documents|${id}|facts`;

export const sealFacts = (key: Buffer, place: Place, facts: DocumentFacts, ids: Pick<Ids, "bytes">): string =>
  factsSealer(key, place, ids).seal(JSON.stringify(facts), factsPlace(place));

/** Throws when the facts are another document's or were changed. */
export function openFacts(key: Buffer, document: Pick<Document, "tenant" | "id" | "sealed">, ids: Pick<Ids, "bytes">) {
  const text = factsSealer(key, document, ids).open(document.sealed, factsPlace(document));
  // What `sealFacts` wrote is of the right form: nothing else has the key.
  return JSON.parse(text.toString()) as DocumentFacts;
}

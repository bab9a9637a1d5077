import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { makeSealer } from "../../shared/crypto/sealing";
import type { Ids } from "../../shared/kernel/ids";
import type { Document, DocumentFacts } from "./document";

/** Bytes of a file that are sealed together. */
export const segmentBytes = 512 * 1024;
export const tagBytes = 16;
const algorithm = "aes-256-gcm";

/**
 * Seals a file segment by segment with AES-256-GCM, in the manner of STREAM (Hoang, Reyhanitabar, Rogaway and Vizár 2015): the nonce holds
 * the segment's position and whether it is the last, so that a file with moved, missing, truncated or added segments does not open. The key
 * must be used for this file only. Every segment but the last is full.
 */
export async function* sealSegments(key: Buffer, content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let index = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const bytes of content) {
    held.push(Buffer.from(bytes));
    heldBytes += bytes.length;
    // Data that fills a segment exactly is held back: it may be the last segment.
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

/** Returns the number of segments of a file of a given size: at least one. */
export const segmentsOf = (size: number): number => Math.max(1, Math.ceil(size / segmentBytes));

/** The uses of a document's key. */
type Place = Pick<Document, "tenant" | "id">;

/** Derives the key of a file from the participant's (HKDF, RFC 5869): it is not stored, and is destroyed with the participant's key. */
export const fileKeyOf = (participantKey: Buffer, { tenant, fileId }: Pick<Document, "tenant" | "fileId">): Buffer =>
  Buffer.from(hkdfSync("sha256", participantKey, "", `${tenant}|documentFiles|${fileId}`, 32));

const factsSealer = (participantKey: Buffer, { tenant, id }: Place, ids: Pick<Ids, "bytes">) =>
  makeSealer(Buffer.from(hkdfSync("sha256", participantKey, "", `${tenant}|documents|${id}`, 32)), ids);

const factsPlace = ({ tenant, id }: Place): string => `${tenant}|documents|${id}|facts`;

export const sealFacts = (key: Buffer, place: Place, facts: DocumentFacts, ids: Pick<Ids, "bytes">): string =>
  factsSealer(key, place, ids).seal(JSON.stringify(facts), factsPlace(place));

/** Throws when the facts belong to another document or were changed. */
export function openFacts(key: Buffer, document: Pick<Document, "tenant" | "id" | "sealed">, ids: Pick<Ids, "bytes">) {
  const text = factsSealer(key, document, ids).open(document.sealed, factsPlace(document));
  // The content has the right form, because only `sealFacts` has the key.
  return JSON.parse(text.toString()) as DocumentFacts;
}

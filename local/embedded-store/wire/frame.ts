import { CommandError } from "../errors";
import { type Doc, decode, decodeCommand, decodeOperation, encode, isDoc } from "../values/bson";

/** MongoDB's wire protocol: OP_MSG, and the OP_QUERY that drivers greet with. All integers are little-endian. */

const opReply = 1;
const opQuery = 2_004;
const opMsg = 2_013;
const headerBytes = 16;
export const mostMessageBytes = 48_000_000;

/** Flag bits of OP_MSG. Checksums are not offered, so a peer that sends one is not a driver. */
const moreToCome = 2;
const exhaustAllowed = 1 << 16;

export interface Message {
  requestId: number;
  isLegacy: boolean;
  expectsReply: boolean;
  command: Doc;
}

/** The bytes are not the protocol. The connection is dropped. */
class WireError extends Error {}

/** Cuts the stream into frames; `take` gives whole frames and keeps the rest. */
export function makeFramer() {
  let chunks: Buffer[] = [];
  let size = 0;
  /** Chunks are only joined once there are this many bytes. */
  let wanted = headerBytes;
  return {
    take(chunk: Buffer): Buffer[] {
      chunks.push(chunk);
      size += chunk.length;
      const frames: Buffer[] = [];
      while (size >= wanted) {
        const pending = chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks);
        const length = pending.readInt32LE(0);
        if (length < headerBytes || length > mostMessageBytes + headerBytes)
          throw new WireError(`bad length ${length}`);
        const isWhole = size >= length;
        const rest = isWhole ? pending.subarray(length) : pending;
        if (isWhole) frames.push(pending.subarray(0, length));
        wanted = isWhole ? headerBytes : length;
        chunks = [rest];
        size = rest.length;
      }
      return frames;
    },
  };
}

export function parseMessage(frame: Buffer): Message {
  const requestId = frame.readInt32LE(4);
  const operation = frame.readInt32LE(12);
  if (operation === opMsg) return { requestId, isLegacy: false, ...parseMsg(frame) };
  if (operation === opQuery) return { requestId, isLegacy: true, expectsReply: true, command: parseQuery(frame) };
  throw new WireError(`unknown operation ${operation}`);
}

function parseMsg(frame: Buffer): { expectsReply: boolean; command: Doc } {
  const flags = frame.readUInt32LE(headerBytes);
  if ((flags & ~(moreToCome | exhaustAllowed)) !== 0) throw new WireError(`unknown flags ${flags}`);
  let at = headerBytes + 4;
  let command: Doc | undefined;
  const sequences: Doc = {};
  while (at < frame.length) {
    const kind = frame.readUInt8(at);
    const size = at + 5 <= frame.length ? frame.readInt32LE(at + 1) : 0;
    if (size < 5 || at + 1 + size > frame.length) throw new WireError(`bad section length ${size}`);
    const section = frame.subarray(at + 1, at + 1 + size);
    if (kind === 0) command = decodeCommand(section);
    else if (kind === 1) readSequence(section, sequences);
    else throw new WireError(`unknown section kind ${kind}`);
    at += 1 + size;
  }
  if (command === undefined) throw new WireError("no command");
  return { expectsReply: (flags & moreToCome) === 0, command: { ...command, ...sequences } };
}

/** A list of documents beside the command. Those to insert stay bytes, the others are decoded. */
function readSequence(section: Buffer, sequences: Doc): void {
  const end = section.indexOf(0, 4);
  if (end < 0) throw new WireError("unterminated section name");
  const name = section.toString("utf8", 4, end);
  const documents: Buffer[] = [];
  for (let at = end + 1; at < section.length; ) {
    const size = at + 4 <= section.length ? section.readInt32LE(at) : 0;
    if (size < 5 || at + size > section.length) throw new WireError(`bad document length ${size}`);
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  sequences[name] = name === "documents" ? documents : documents.map(name === "ops" ? decodeOperation : decode);
}

function parseQuery(frame: Buffer): Doc {
  const end = frame.indexOf(0, headerBytes + 4);
  const name = frame.toString("utf8", headerBytes + 4, end);
  const command = decodeCommand(frame.subarray(end + 9));
  const first = Object.keys(command)[0]?.toLowerCase();
  if (!name.endsWith(".$cmd") || (first !== "hello" && first !== "ismaster")) {
    throw new CommandError(352, "Unsupported OP_QUERY command; only a greeting may come this way");
  }
  return { ...command, $db: name.slice(0, -".$cmd".length) };
}

/** Documents of a cursor's batch, handed on as they are stored. */
export interface Batch {
  name: "firstBatch" | "nextBatch";
  documents: Uint8Array[];
  /** `id` and `ns`. */
  rest: Doc;
}

export interface Reply {
  body: Doc;
  batch?: Batch;
  /** Number of documents written, by namespace, if the body does not say; it is not sent. */
  written?: ReadonlyMap<string, number>;
}

export function encodeReply(requestId: number, isLegacy: boolean, reply: Reply): Buffer {
  const body = encodeBody(reply);
  const preamble = Buffer.alloc(headerBytes + (isLegacy ? 20 : 5));
  preamble.writeInt32LE(preamble.length + sizeOf(body), 0);
  preamble.writeInt32LE(requestId, 8);
  preamble.writeInt32LE(isLegacy ? opReply : opMsg, 12);
  if (isLegacy) preamble.writeInt32LE(1, headerBytes + 16);
  return Buffer.concat([preamble, ...body]);
}

/** The reply in parts, so that the documents of a batch are copied once. */
function encodeBody({ body, batch }: Reply): Uint8Array[] {
  if (batch === undefined) return [encode(body)];
  const items = batch.documents.flatMap((document, at) => [Buffer.from(`\u0003${at}\0`), document]);
  const cursor = [Buffer.from(`\u0004${batch.name}\0`), ...frameDocument(items), elementsOf(encode(batch.rest))];
  return frameDocument([Buffer.from("\u0003cursor\0"), ...frameDocument(cursor), elementsOf(encode(body))]);
}

const sizeOf = (parts: Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

function frameDocument(elements: Uint8Array[]): Uint8Array[] {
  const length = Buffer.alloc(4);
  length.writeInt32LE(sizeOf(elements) + 5);
  return [length, ...elements, Buffer.alloc(1)];
}

const elementsOf = (document: Uint8Array): Uint8Array => document.subarray(4, -1);

/** Text that a peer may send beside documents: names of collections and databases, checked before use. */
export function requireName(value: unknown, what: string): string {
  if (typeof value === "string" && value !== "" && !value.includes("\0")) return value;
  const shown = isDoc(value) ? "a document" : String(value);
  throw new CommandError("InvalidNamespace", `Invalid ${what} specified: ${shown}`);
}

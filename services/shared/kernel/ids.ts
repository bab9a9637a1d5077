import { createHash, randomBytes, randomUUID } from "node:crypto";
import { systemClock } from "./clock";

/** Source of fresh identifiers and secrets, injected so that tests can fix them. */
export interface Ids {
  /**
   * A new UUID (RFC 9562 version 7): it begins with the time, so that records made together are adjacent in an index, and
   * has at least 70 unguessable bits from the operating system's generator.
   */
  uuid(): string;
  /** Random bytes from the operating system's generator. */
  bytes(count: number): Buffer;
}

/** The digit after the version in ids, by the service that makes them. An id is looked up in the service that made it. */
const makers = { auth: "1", fx: "2", wallet: "3", identity: "4", webhook: "5" } as const;
export type IdMaker = keyof typeof makers;

/** Ids that do not reveal the service that made them. */
export const systemIds: Ids = {
  uuid: () => newUuid(systemClock.now().getTime()),
  bytes: (count) => randomBytes(count),
};

/** Returns ids that reveal the service that made them. */
export const idsOf = (maker: IdMaker): Ids => ({
  ...systemIds,
  uuid: () => newUuid(systemClock.now().getTime(), makers[maker]),
});

/** Appends random digits, as in a version 4 UUID but with the given ones in front, to 48 bits of milliseconds since 1970. */
function newUuid(ms: number, digits = ""): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits}${randomUUID().slice(15 + digits.length)}`;
}

const ownForm = /^[0-9a-f]{8}-[0-9a-f]{4}-([78])([0-9a-f])[0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Says whether an id is derived from what it names, or which service made it. Undefined for text that has none of our forms. */
export function originOf(id: string): "derived" | IdMaker | undefined {
  const [, version, digit] = ownForm.exec(id) ?? [];
  if (version === "8") return "derived";
  return (Object.keys(makers) as IdMaker[]).find((maker) => makers[maker] === digit);
}

/**
 * A UUID (RFC 9562 version 8) that depends only on the given words. The same request therefore names the same object on
 * every attempt, even when an earlier attempt died before it stored anything.
 */
export const derivedUuid = (...words: readonly string[]): string => uuidOf(digestOf(words));

/**
 * The same, but it also depends on a time and begins with it (48 bits, milliseconds since 1970, as in version 7). Records
 * made together are adjacent in an index, which halves the cost of storing many.
 */
export function derivedUuidAt(at: Date, ...words: readonly string[]): string {
  const digest = digestOf(words);
  digest.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return uuidOf(digest);
}

const digestOf = (words: readonly string[]): Buffer => createHash("sha256").update(JSON.stringify(words)).digest();

/** The first 16 bytes as a UUID of version 8. */
function uuidOf(digest: Buffer): string {
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

import { createHash, createPublicKey, verify } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { readList } from "../../domain/lists/read-list";
import { makeScreeningList, type ScreeningList } from "../../domain/screening";
import type { ListSource } from "../../domain/screening-policy";
import { type Fetched, fetchUrl } from "./fetch-url";

const mostBytes = 512 * 1024 * 1024;

async function fetchFile(file: string): Promise<Fetched> {
  const { mtime, size } = await stat(file);
  if (size > mostBytes) throw new Error(`${file} has more than ${mostBytes} bytes`);
  return { bytes: await readFile(file), at: mtime };
}

/**
 * Reads a list from its source and checks its size, hash and signature. Throws for a list that is damaged, too small or signed by another
 * key: such a list is not used at all.
 */
export async function loadList(source: ListSource): Promise<ScreeningList> {
  const { from, name, format, sha256, leastBytes, leastEntries, publicKeyFile } = source;
  const get = (suffix: string): Promise<Fetched> =>
    "url" in from ? fetchUrl(from.url + suffix, mostBytes) : fetchFile(from.file + suffix);
  const { bytes, at } = await get("");
  const called = name === "" ? "the screening list" : `the list ${name}`;
  if (bytes.length < leastBytes) throw new Error(`${called} has ${bytes.length} bytes and needs ${leastBytes}`);
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== undefined && digest !== sha256) throw new Error(`${called} has another SHA-256: ${digest}`);
  if (publicKeyFile !== undefined) {
    const key = createPublicKey(await readFile(publicKeyFile));
    const signature = Buffer.from((await get(".sig")).bytes.toString("ascii").trim(), "base64");
    if (!verify(null, bytes, key, signature)) throw new Error(`${called} is not signed by its publisher`);
  }
  const { version, madeAt, entries } = readList(format, textOf(bytes, called));
  if (entries.length < leastEntries)
    throw new Error(`${called} has ${entries.length} entries and needs ${leastEntries}`);
  return makeScreeningList(
    { name, version: version === "" ? digest.slice(0, 8) : version, madeAt: madeAt ?? at },
    entries,
  );
}

/** Decodes UTF-8, or UTF-16 if it starts with a byte order mark. Throws for bytes that are neither: names would be unreadable. */
function textOf(bytes: Buffer, called: string): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isWide ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${called} is neither UTF-8 nor UTF-16`);
  }
}

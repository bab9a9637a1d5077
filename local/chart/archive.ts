import { inflateRawSync } from "node:zlib";

/** The content of one file in a tar archive, by the size that its 512-byte header gives in octal. */
export function fileInTar(tar: Buffer, path: string): Buffer {
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString("utf8", at, at + 100).replace(/\0.*$/, "");
    const size = Number.parseInt(tar.toString("ascii", at + 124, at + 136), 8) || 0;
    if (name === path) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the package holds no ${path}`);
}

/** The content of one file in a zip archive, found through its central directory (APPNOTE 4.3.12). */
export function fileInZip(zip: Buffer, path: string): Buffer {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const nameSize = zip.readUInt16LE(at + 28);
    if (zip.toString("utf8", at + 46, at + 46 + nameSize) === path) {
      const size = zip.readUInt32LE(at + 20);
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const bytes = zip.subarray(start, start + size);
      return zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    }
    at += 46 + nameSize + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`the layer holds no ${path}`);
}

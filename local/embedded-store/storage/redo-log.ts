import fs from "node:fs";
import { promisify } from "node:util";
import zlib from "node:zlib";

const fdatasync = promisify(fs.fdatasync);

/** Stored length, checksum, flags. */
const headBytes = 9;
const [isCompressed, isLast] = [1, 2];
/** Less than a page of the disk is not worth compressing. */
const leastPacked = 4 * 1024;
const packing = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };

export type RedoLog = ReturnType<typeof openRedoLog>;

/**
 * A file of groups, each of which counts as a whole or not at all. Every checksum continues from the one before, and the first from a mark
 * that is used once: remains of an earlier round, or of a partial write, are never read.
 */
export function openRedoLog(file: string) {
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  let position = 0;
  let unpacked = 0;
  let checksum = 0;

  function frame(content: Uint8Array, last: boolean): Buffer {
    const packed = content.length < leastPacked ? content : zlib.zstdCompressSync(content, packing);
    const body = packed.length < content.length ? packed : content;
    const head = Buffer.alloc(headBytes);
    head.writeUInt32LE(body.length);
    head.writeUInt8((body === content ? 0 : isCompressed) | (last ? isLast : 0), headBytes - 1);
    checksum = checksumOf(head, body, checksum);
    head.writeUInt32LE(checksum, 4);
    return Buffer.concat([head, body]);
  }

  return {
    /** Writes a group after the others; it counts once it is synced. Each part has a frame of its own. */
    append(parts: Uint8Array[]): void {
      for (const [at, part] of parts.entries()) {
        const bytes = frame(part, at === parts.length - 1);
        for (let done = 0; done < bytes.length; )
          done += fs.writeSync(fd, bytes, done, bytes.length - done, position + done);
        position += bytes.length;
        unpacked += part.length;
      }
    },
    sync: () => fdatasync(fd),
    /** Bytes of all groups of this round before compression. */
    size: () => unpacked,
    /** Discards everything in the file; the next group is the first under this mark. */
    restart(mark: number): void {
      position = 0;
      unpacked = 0;
      checksum = mark;
    },
    /** Returns the complete groups that were written under a mark. */
    groups: (mark: number) => readGroups(fd, mark),
    /** Removes everything. */
    clear(): void {
      fs.ftruncateSync(fd);
      fs.fsyncSync(fd);
    },
    close: () => fs.closeSync(fd),
  };
}

function checksumOf(head: Buffer, body: Uint8Array, before: number): number {
  return zlib.crc32(body, zlib.crc32(head.subarray(headBytes - 1), zlib.crc32(head.subarray(0, 4), before)));
}

function* readGroups(fd: number, mark: number): Generator<Buffer> {
  const size = fs.fstatSync(fd).size;
  let parts: Uint8Array[] = [];
  let checksum = mark;
  for (let at = 0; at + headBytes <= size; ) {
    const head = readAt(fd, at, headBytes);
    const [length, expected, flags] = [head.readUInt32LE(0), head.readUInt32LE(4), head.readUInt8(headBytes - 1)];
    at += headBytes + length;
    if (at > size) return;
    const body = readAt(fd, at - length, length);
    checksum = checksumOf(head, body, checksum);
    if (checksum !== expected) return;
    parts.push((flags & isCompressed) === 0 ? body : zlib.zstdDecompressSync(body));
    if ((flags & isLast) === 0) continue;
    yield Buffer.concat(parts);
    parts = [];
  }
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  const read = fs.readSync(fd, bytes, 0, length, position);
  return bytes.subarray(0, read);
}

import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRedoLog } from "./redo-log";

const groups = [["small"], ["a group ", "of three ", "frames"], ["packed ".repeat(3_000)], ["last"]].map((parts) =>
  parts.map((part) => Buffer.from(part)),
);
const wholes = groups.map((parts) => Buffer.concat(parts).toString());

describe("the redo log", () => {
  let dir: string;
  let file: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "corridor-redo-"));
    file = join(dir, "store.redo");
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  async function write(mark: number, list = groups): Promise<void> {
    const log = openRedoLog(file);
    log.restart(mark);
    for (const group of list) log.append(group);
    await log.sync();
    log.close();
  }

  function read(mark: number): string[] {
    const log = openRedoLog(file);
    const found = Array.from(log.groups(mark), String);
    log.close();
    return found;
  }

  it("gives the groups back under their mark, and none under another one", async () => {
    await write(1_234);

    expect(read(1_234)).toEqual(wholes);
    expect(read(1_235)).toEqual([]);
    expect(readFileSync(file).length).toBeLessThan(wholes.join("").length);
  });

  it("reads whole groups only, wherever the file ends", async () => {
    await write(7);
    const bytes = readFileSync(file);
    let count = groups.length;
    for (let size = bytes.length - 1; size >= 0; size -= 1) {
      truncateSync(file, size);
      const found = read(7);
      expect(found).toEqual(wholes.slice(0, found.length));
      expect(found.length).toBeLessThanOrEqual(count);
      count = found.length;
    }
    expect(count).toBe(0);
  });

  it("stops before the first byte that is not as it was written", async () => {
    await write(7);
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length; at += 1) {
      const broken = Buffer.from(bytes);
      broken.writeUInt8(broken.readUInt8(at) ^ 0x10, at);
      writeFileSync(file, broken);
      const found = read(7);
      expect(found.length).toBeLessThan(groups.length);
      expect(found).toEqual(wholes.slice(0, found.length));
    }
  });

  it("never goes on into what an earlier round has left behind", async () => {
    await write(7);
    // The same bytes up to the point where the old round continues, so that only the mark distinguishes the rounds.
    await write(8, groups.slice(0, 2));

    expect(read(8)).toEqual(wholes.slice(0, 2));
    expect(read(7)).toEqual([]);
  });
});

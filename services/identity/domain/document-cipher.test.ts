import { randomBytes } from "node:crypto";
import fc from "fast-check";
import {
  fileKeyOf,
  openFacts,
  openSegment,
  sealFacts,
  sealSegments,
  segmentBytes,
  segmentsOf,
} from "./document-cipher";

const key = randomBytes(32);

async function* inPieces(content: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield content.subarray(at, at + size);
    at += size;
  }
  yield content.subarray(at);
}
async function seal(content: Buffer, sizes: readonly number[] = []): Promise<Buffer[]> {
  const segments: Buffer[] = [];
  for await (const segment of sealSegments(key, inPieces(content, sizes))) segments.push(segment);
  return segments;
}
const open = (segments: readonly Buffer[], withKey = key): Buffer =>
  Buffer.concat(segments.map((segment, index) => openSegment(withKey, index, index === segments.length - 1, segment)));

describe("the segments of a file", () => {
  it.each([0, 1, segmentBytes - 1, segmentBytes, segmentBytes + 1, 2 * segmentBytes, 3 * segmentBytes - 7])(
    "open to what %i bytes were, however they came",
    async (size) => {
      const content = randomBytes(size);
      const sizes = fc.array(fc.nat(2 * segmentBytes), { maxLength: 8 });

      await fc.assert(
        fc.asyncProperty(sizes, async (pieces) => {
          const segments = await seal(content, pieces);

          expect(segments).toHaveLength(segmentsOf(size));
          expect(open(segments).equals(content)).toBe(true);
        }),
        { numRuns: 5 },
      );
    },
  );

  it("do not open in another order, cut off, added to, changed, or with another key", async () => {
    const segments = await seal(randomBytes(3 * segmentBytes));
    const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = segments;
    const flipped = Buffer.from(third);
    flipped.writeUInt8(flipped.readUInt8(9) ^ 1, 9);

    expect(() => open([second, first, third])).toThrow();
    expect(() => open([first, second])).toThrow();
    expect(() => open([first, third])).toThrow();
    expect(() => open([first, second, third, third])).toThrow();
    expect(() => open([first, second, flipped])).toThrow();
    expect(() => open(segments, randomBytes(32))).toThrow();
    expect(() => openSegment(key, 0, true, third.subarray(0, 3))).toThrow();
  });
});

describe("the keys of documents", () => {
  const ids = { bytes: randomBytes };
  const facts = { mediaType: "image/png", size: 1, sha256: "ab" };

  it("are each file's and tenant's own", () => {
    const keys = [
      fileKeyOf(key, { tenant: "demo", fileId: "a" }),
      fileKeyOf(key, { tenant: "demo", fileId: "b" }),
      fileKeyOf(key, { tenant: "other", fileId: "a" }),
      fileKeyOf(randomBytes(32), { tenant: "demo", fileId: "a" }),
    ];

    expect(new Set(keys.map((one) => one.toString("hex"))).size).toBe(keys.length);
  });

  it("open the facts of their own document alone", () => {
    const place = { tenant: "demo", id: "one" };
    const sealed = sealFacts(key, place, facts, ids);

    expect(openFacts(key, { ...place, sealed }, ids)).toEqual(facts);
    expect(() => openFacts(key, { ...place, id: "two", sealed }, ids)).toThrow();
    expect(() => openFacts(key, { ...place, tenant: "other", sealed }, ids)).toThrow();
    expect(() => openFacts(randomBytes(32), { ...place, sealed }, ids)).toThrow();
  });
});

import fc from "fast-check";
import { makeRecord, operationsIn, patchBetween, patched, type Value } from "./record";

const bytes = fc.uint8Array({ maxLength: 40 });
const value = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.string({ unit: "binary" }),
  bytes,
);
const operation = fc.tuple(fc.nat({ max: 255 }), fc.array(value, { maxLength: 6 }));

const plain = (values: Value[]) => values.map((one) => (one instanceof Uint8Array ? [...one] : one));

function contentOf(record: ReturnType<typeof makeRecord>) {
  const operations = [...operationsIn(Buffer.concat(record.content()))];
  return operations.map(({ code, values }) => [code, plain(values)]);
}

/** As BSON has it: the length comes first. */
function documentOf(content: Uint8Array): Buffer {
  const document = Buffer.concat([Buffer.alloc(4), content]);
  document.writeUInt32LE(document.length);
  return document;
}

describe("the record of what was done", () => {
  it("gives back every operation with its values, in order, and none that was cut off", () => {
    fc.assert(
      fc.property(fc.array(operation), fc.array(operation), fc.array(operation), (kept, undone, later) => {
        const record = makeRecord();
        for (const [code, values] of kept) record.add(code, ...values);
        const end = record.end();
        for (const [code, values] of undone) record.add(code, ...values);
        record.cut(end);
        for (const [code, values] of later) record.add(code, ...values);

        expect(contentOf(record)).toEqual([...kept, ...later].map(([code, values]) => [code, plain(values)]));
      }),
    );
  });

  it("takes back what has grown over many chunks, and is used again", () => {
    const record = makeRecord();
    const large = Buffer.alloc(100_000, 7);
    record.add(1, "first");
    const end = record.end();
    for (let count = 0; count < 20; count += 1) record.add(2, large);
    record.add(2, Buffer.alloc(1_000_000));
    record.cut(end);
    record.add(3, large);
    expect(contentOf(record)).toEqual([
      [1, ["first"]],
      [3, [[...large]]],
    ]);

    record.clear();
    expect(record.isEmpty()).toBe(true);
    record.add(4);
    expect(contentOf(record)).toEqual([[4, []]]);
  });

  it("makes a document out of another one and the patch between them", () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, bytes, (start, old, next, end) => {
        const before = documentOf(Buffer.concat([start, old, end]));
        const after = documentOf(Buffer.concat([start, next, end]));
        const patch = patchBetween(before, after);

        expect(patched(before, patch).equals(after)).toBe(true);
        expect(patch.middle.length).toBeLessThanOrEqual(next.length);
      }),
    );
  });
});

import fc from "fast-check";
import { DomainError } from "./errors";
import { decodeUtf8, fieldHashes, parseJson, parseJsonObject } from "./json";

function refusal(text: string): { field: string; message: string } | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return error instanceof DomainError ? error.violations[0] : undefined;
  }
}

describe("parseJson", () => {
  it("agrees with JSON.parse on everything that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        if (refusal(text) !== undefined) return;
        expect(parseJson(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    "",
    "{",
    "[1,]",
    "{'a':1}",
    '{"a":1,}',
    "{,}",
    "[1 2]",
    "01",
    "1.",
    "nul",
    '"\t"',
    '"\\x"',
    "1 2",
    "NaN",
    "+1",
  ])("refuses %p", (text) => {
    expect(refusal(text)?.message).toMatch(/^is not valid JSON(?:: it ends too early,)? at line 1, column \d+$/);
  });

  it.each([
    ["{", ": it ends too early, at line 1, column 2"],
    ["{\n  'a': 1\n}", " at line 2, column 3"],
    ['{\n  "a": 1,\n}', " at line 3, column 1"],
    ['{"a": "\\x"}', " at line 1, column 7"],
    ['{\r\n"a": nul}', " at line 2, column 6"],
    ["{} {}", " at line 1, column 4"],
  ])("says where %j stops being JSON", (text, where) => {
    expect(refusal(text)?.message).toBe(`is not valid JSON${where}`);
  });

  it("keeps the text of each number by its path", () => {
    const { numbers } = parseJson('{"amount":{"total":10.50},"list":[1e2,9007199254740993]}');

    expect(Object.fromEntries(numbers)).toEqual({
      "amount.total": "10.50",
      "list.0": "1e2",
      "list.1": "9007199254740993",
    });
  });

  it("refuses what parsers disagree about, naming the place", () => {
    expect(refusal('{"a":{"b":1,"b":2}}')).toEqual({ field: "a.b", message: "must not be given twice" });
    expect(refusal('{"a":{"__proto__":{}}}')?.field).toBe("a.__proto__");
    expect(refusal('{"constructor":1}')?.message).toBe("is not an allowed key");
    expect(refusal('{"a":"\\ud800"}')?.field).toBe("a");
    expect(refusal('{"a":"x\\u0000"}')?.field).toBe("a");
  });

  it("refuses a key with a dot, so that no key can pose as a path", () => {
    expect(refusal('{"amount.total":1,"amount":{"total":2}}')?.field).toBe("amount.total");
  });

  it("refuses an empty key, which would let a deeper number pose as another", () => {
    expect(refusal('{"amount":{"total":1},"":{"amount":{"total":999}}}')?.message).toBe("must not have an empty key");
  });

  it("bounds keys and paths, so that neither numbers nor refusals carry long ones", () => {
    const deep = (levels: number): string => `${`{"${"k".repeat(60)}":`.repeat(levels)}[1]${"}".repeat(levels)}`;
    const startMs = performance.now();

    expect(refusal(`{"${"k".repeat(65)}":1}`)?.message).toContain("64 characters");
    expect(refusal(deep(8))).toBeUndefined();
    expect(refusal(deep(12))?.message).toBe("must not have so long a path");
    expect(refusal(deep(12))?.field.length).toBeLessThanOrEqual(64);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it("bounds depth, keys, strings and arrays", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    const keys = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])));

    expect(refusal(nested(32))).toBeUndefined();
    expect(refusal(nested(33))?.message).toContain("deeper than 32");
    expect(refusal(keys(1_000))).toBeUndefined();
    expect(refusal(keys(1_001))?.message).toContain("at most 1000 keys");
    expect(refusal(JSON.stringify("x".repeat(4_097)))?.message).toContain("4096 characters");
    expect(refusal(JSON.stringify(Array(101).fill(0)))?.message).toContain("100 elements");
  });

  it("takes an object as root where one is asked for", () => {
    expect(() => parseJsonObject("[]")).toThrow("must be a JSON object");
  });
});

describe("decodeUtf8", () => {
  it("refuses malformed text and a byte order mark", () => {
    expect(() => decodeUtf8(Buffer.from([0xc3, 0x28]))).toThrow("UTF-8");
    expect(() => decodeUtf8(Buffer.from("\uFEFF{}"))).toThrow("byte order mark");
    expect(decodeUtf8(Buffer.from("São Paulo"))).toBe("São Paulo");
  });
});

describe("fieldHashes", () => {
  const hashes = (text: string) => fieldHashes(parseJsonObject(text));

  it("ignores key order, white space and how a number is written", () => {
    expect(hashes('{"a":{"x":1,"y":[2.50]},"b":"t"}')).toEqual(hashes('{ "b":"t", "a":{"y":[2.5],"x":1.0} }'));
  });

  it("tells every other difference, by top-level field", () => {
    const first = hashes('{"a":{"x":1},"b":"t"}');
    const second = hashes('{"a":{"x":"1"},"b":"t"}');

    expect(first["a"]).not.toBe(second["a"]);
    expect(first["b"]).toBe(second["b"]);
  });
});

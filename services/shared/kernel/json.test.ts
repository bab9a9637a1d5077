import fc from "fast-check";
import { cardRule } from "./card-number";
import { DomainError } from "./errors";
import { answerLimits, decodeUtf8, fieldHashes, parseJson, parseJsonObject } from "./json";
import { marksRule, textRule } from "./text";

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
    const { numbers } = parseJson('{"amount":{"total":10.50},"list":[1e2,9007199254740992]}');

    expect(Object.fromEntries(numbers)).toEqual({
      "amount.total": "10.50",
      "list.0": "1e2",
      "list.1": "9007199254740992",
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

  it("detects every other difference, by top-level field", () => {
    const first = hashes('{"a":{"x":1},"b":"t"}');
    const second = hashes('{"a":{"x":"1"},"b":"t"}');

    expect(first["a"]).not.toBe(second["a"]);
    expect(first["b"]).toBe(second["b"]);
  });
});

describe("text from callers", () => {
  it.each([
    ["a bell", "\u0007"],
    ["DEL", "\u007f"],
    ["an interlinear mark", "\ufff9"],
    ["a line break", "Ma\r\nX-Injected: 1"],
    ["a change of direction", "\u202eavliS airaM"],
    ["an isolate", "\u2066Maria\u2069"],
    ["a zero-width space", "Ma\u200bria"],
    ["a soft hyphen", "Ma\u00adria"],
    ["a private character", "\ue000"],
    ["a tag", "\u{e0041}"],
    ["a filler", "\u3164"],
    ["a joiner between letters that need none", "Ma\u200dria"],
    ["a joiner at the end", "\u0915\u094d\u200d"],
    ["a noncharacter", "\ufdd0"],
    ["a line separator", "a\u2028b"],
  ])("is refused with %s, wherever it stands", (_name, text) => {
    for (const place of ["name", "metadata.note", "list.0"]) {
      const [first = "", second] = place.split(".");
      const body = second === undefined ? text : second === "0" ? [text] : { [second]: text };
      expect(refusal(JSON.stringify({ [first]: body }))).toEqual({ field: place, message: textRule });
    }
    expect(refusal(JSON.stringify({ metadata: { [text]: 1 } }))?.field).toBe("metadata");
  });

  it.each([
    ["of one kind", `a${"\u0301".repeat(31)}`],
    ["in turn", `a${"\u0301\u0316".repeat(2_000)}`],
    ["that stand alone", "\u0316".repeat(31)],
    ["that are marks only when they are folded", `a${"\uff9e\u0334".repeat(16)}`],
  ])(
    "is refused before it is composed where it stacks marks %s, since that takes the square of their number",
    (_name, text) => {
      expect(refusal(JSON.stringify({ name: text }))).toEqual({ field: "name", message: marksRule });
      expect(parseJson(JSON.stringify({ name: `a${"\u0301".repeat(30)}` })).value).toBeDefined();
    },
  );

  it.each([
    ["Sinhala", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"],
    ["Devanagari", "\u0915\u094d\u200d\u0937"],
    ["Bengali", "\u09b0\u200d\u09cd\u09af"],
    ["Persian", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ["a form of an ideograph", "\u845b\u{e0100}"],
    ["letters with marks", "\u0110\u1eb7ng Th\u1ecb"],
  ])("keeps %s as it is", (_name, text) => {
    expect(parseJson(JSON.stringify({ text })).value).toEqual({ text: text.normalize("NFC") });
  });

  it("is one text however it is composed: value, key and fingerprint", () => {
    const [one, other] = ["Jos\u00e9", "Jose\u0301"].map((name) =>
      parseJsonObject(JSON.stringify({ name, [name]: 1 })),
    );

    expect(other?.value).toEqual(one?.value);
    expect(fieldHashes(other ?? { value: {}, numbers: new Map() })).toEqual(
      fieldHashes(one ?? { value: {}, numbers: new Map() }),
    );
    expect(refusal('{"Jos\u00e9":1,"Jose\u0301":2}')?.message).toBe("must not be given twice");
  });

  it("of a provider may be anything", () => {
    expect(parseJson('{"message":"two\\nlines","n":1e400}', answerLimits).value).toEqual({
      message: "two\nlines",
      n: Number.POSITIVE_INFINITY,
    });
  });
});

describe("numbers from callers", () => {
  it.each(["1e400", "12345678901234567890123", "9007199254740993", "0.12345678901234567", "1e-400", "-1e999"])(
    "are refused where %s would be kept as another one",
    (number) => {
      expect(refusal(`{"metadata":{"n":${number}}}`)).toMatchObject({ field: "metadata.n" });
    },
  );

  it.each([
    "0",
    "-0.0",
    "0e5",
    "1E2",
    "10.50",
    "0.1",
    "123456789012345",
    "1e21",
    "1.7976931348623157e308",
    "100000000000000000000",
  ])("are taken where %s is kept", (number) => {
    expect(refusal(`{"metadata":{"n":${number}}}`)).toBeUndefined();
  });

  it("have as many digits as they like where the digits are read", () => {
    expect(refusal('{"exchangeRate":5.1234567890123456789,"amount":12345678901234567890123}')).toBeUndefined();
  });
});

describe("card numbers from callers", () => {
  const card = "4111 1111 1111 1111";
  const union = "6222021234567890128";

  it.each(["externalPaymentId", "metadata.key", "recipient.firstName", "identification.note"])(
    "are refused in %s, and not repeated",
    (path) => {
      for (const value of [card, union, 4111111111111111]) {
        const body = path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
        expect(refusal(JSON.stringify(body))).toEqual({ field: path, message: cardRule });
      }
    },
  );

  it.each(["4111111111111111.0", "4.111111111111111e15"])("are refused as the number %s", (number) => {
    expect(refusal(`{"metadata":{"key":${number}}}`)).toEqual({ field: "metadata.key", message: cardRule });
  });

  it("are not seen in amounts that callers have multiplied", () => {
    const amounts = fc.tuple(
      fc.integer({ min: 1, max: 500_000_000 }),
      fc.double({ min: 0.0001, max: 30_000, noNaN: true }),
    );
    fc.assert(
      fc.property(amounts, ([cents, rate]) => {
        const product = (cents / 100) * rate;
        for (const total of [product, String(product)]) {
          const body = {
            amount: { total },
            recipientAmount: { total },
            sourceCurrencyAmount: total,
            note: String(product),
          };
          expect(refusal(JSON.stringify(body))?.message).not.toBe(cardRule);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("are refused as keys", () => {
    expect(refusal('{"metadata":{"4111111111111111":1}}')).toEqual({ field: "metadata", message: cardRule });
  });

  it.each(["recipient.paymentMethod.accountNumber", "recipient.documents.0.document", "identification"])(
    "cannot be distinguished from other numbers in %s",
    (path) => {
      const read = (segments: readonly string[]): unknown => {
        const [first, ...rest] = segments;
        if (first === undefined) return union;
        return first === "0" ? [read(rest)] : { [first]: read(rest) };
      };
      expect(refusal(JSON.stringify(read(path.split("."))))).toBeUndefined();
    },
  );
});

describe("keys that JSON has to escape", () => {
  it.each(["\\", '"', "\n", "a\\b", "\u0001"])("are refused: %j", (key) => {
    for (const limits of [undefined, answerLimits]) {
      expect(() => parseJson(JSON.stringify({ note: { a: 1, [key]: 2 } }), limits)).toThrow(DomainError);
    }
  });

  it("so that no object is taken for another one when it is read again from where it was kept", () => {
    const kept = ["\\", "\n"].map((key) => {
      const text = `{"zq7":1,${JSON.stringify(key)}:2}`;
      if (refusal(text) !== undefined) return undefined;
      return Object.keys(JSON.parse(JSON.stringify(parseJson(text).value)) as object);
    });

    expect(kept.filter((keys, at) => keys !== undefined && keys[1] !== ["\\", "\n"][at])).toEqual([]);
    expect(Object.keys(JSON.parse('{"zq7":1,"\\n":2}') as object)).toEqual(["zq7", "\n"]);
  });
});

import { text } from "node:stream/consumers";
import { type Columns, csvCell, makeSendCsv, wantsCsv } from "./csv";

describe("csvCell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+44", "'+44"],
    ["-2", "'-2"],
    ["@a", "'@a"],
    ["\ta", "'\ta"],
    ["\ra", '"\'\ra"'],
    ["\na", '"\'\na"'],
    [" =1+1", "' =1+1"],
    ["\u3000＝1", "'\u3000＝1"],
    ["＋44", "'＋44"],
    ["－2", "'－2"],
    ["＠a", "'＠a"],
    [" a", " a"],
    ["a,b", '"a,b"'],
    ['a"b', '"a""b"'],
    ["a\r\nb", '"a\r\nb"'],
    ['=a"', '"\'=a"""'],
    ["100.50", "100.50"],
    ["a=b", "a=b"],
    ["", ""],
  ])("writes %j as %j", (cell, written) => {
    expect(csvCell(cell)).toBe(written);
  });
});

describe("wantsCsv", () => {
  it.each([
    ["text/csv", true],
    ["Text/CSV; charset=utf-8", true],
    ["text/html, text/csv;q=0.9", true],
    ["application/json, text/csv", false],
    ["*/*", false],
    [undefined, false],
  ])("says of %j %j", (accept, wanted) => {
    expect(wantsCsv(accept === undefined ? {} : { accept })).toBe(wanted);
  });
});

describe("a list as text", () => {
  const columns: Columns<string> = [
    ["name", (item) => item],
    ["nothing", () => undefined],
  ];
  const bodyOf = async ({ madeElsewhere }: Awaited<ReturnType<ReturnType<typeof makeSendCsv>>>) => {
    const { body } = madeElsewhere;
    if (body === undefined || Buffer.isBuffer(body)) throw new Error("the body is not made while it is sent");
    return body;
  };

  it("has the lines of all pages, also behind an empty one", async () => {
    const pages: Record<string, { items: string[]; next: string | undefined }> = {
      first: { items: ["a", "b"], next: "second" },
      second: { items: [], next: "third" },
      third: { items: ["c"], next: undefined },
    };
    const read = async (after = "first") => pages[after] ?? { items: [], next: undefined };
    const { content, length } = await bodyOf(await makeSendCsv()("t", "list", columns, read));

    expect(length).toBeUndefined();
    expect(await text(content)).toBe("name,nothing\r\na,\r\nb,\r\nc,\r\n");
  });

  it("takes no more memory than a page, however long it is", async () => {
    const [rows, pageRows] = [100_000, 200];
    const read = async (after = "0") => {
      const at = Number.parseInt(after, 10);
      const items = Array.from({ length: pageRows }, (_row, index) => `row ${at + index} ${"x".repeat(500)}`);
      return { items, next: at + pageRows < rows ? `${at + pageRows}` : undefined };
    };
    const { content } = await bodyOf(await makeSendCsv()("t", "list", columns, read));
    let largestPiece = 0;
    let lines = 0;
    let bytes = 0;
    for await (const piece of content) {
      largestPiece = Math.max(largestPiece, piece.length);
      bytes += piece.length;
      for (const byte of piece) if (byte === 10) lines += 1;
    }

    expect(lines).toBe(rows + 1);
    expect(bytes).toBeGreaterThan(50_000_000);
    // One page of the list is held at a time.
    expect(largestPiece).toBeLessThan(256 * 1024);
  });

  it("fails before it begins, and breaks off when a later page does", async () => {
    const send = makeSendCsv();
    await expect(send("t", "list", columns, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    const read = (after?: string) =>
      after === undefined ? Promise.resolve({ items: ["a"], next: "b" }) : Promise.reject(new Error("gone"));
    const { content } = await bodyOf(await send("t", "list", columns, read));

    await expect(text(content)).rejects.toThrow("gone");
  });

  it("is sent to one holder twice at once, and again when one has ended or was left", async () => {
    const send = makeSendCsv();
    const read = async () => ({ items: ["a"], next: "again" });
    const begin = async (holder: string) => {
      const { content } = await bodyOf(await send(holder, "list", columns, read));
      const rows = content[Symbol.asyncIterator]();
      await rows.next();
      return rows;
    };
    const [one] = [await begin("t"), await begin("t")];

    await expect(begin("t")).rejects.toMatchObject({ reason: "RATE_LIMITED" });
    await begin("u");
    await one.return?.();
    await begin("t");
  });

  it("is sent twice also to a holder who asks for many at the same moment, and to one whose first page failed", async () => {
    const send = makeSendCsv();
    const failing = send("t", "list", columns, () => Promise.reject(new Error("away")));
    const read = async () => ({ items: ["a"], next: "again" });

    await expect(failing).rejects.toThrow("away");
    const asked = await Promise.allSettled(Array.from({ length: 50 }, () => send("t", "list", columns, read)));

    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });

  it("that nobody reads is given up", async () => {
    const send = makeSendCsv();
    for (let times = 0; times < 5; times += 1) {
      const { content } = await bodyOf(await send("t", "list", columns, async () => ({ items: ["a"], next: "b" })));
      await content[Symbol.asyncIterator]().return?.();
    }
  });
});

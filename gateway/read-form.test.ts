import { PassThrough, Readable } from "node:stream";
import { sampleFile } from "../test/support/sample-files";
import { readForm } from "./read-form";

const boundary = "the-boundary";
const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
const rules = { file: "file", texts: ["documentNumber"], maxFileBytes: 10 * 1024 * 1024 };

interface Part {
  name: string;
  filename?: string;
  type?: string;
  content: Buffer | string;
}
const form = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, type, content }) => [
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"`),
      Buffer.from(filename === undefined ? "" : `; filename="${filename}"`),
      Buffer.from(`${type === undefined ? "" : `\r\ncontent-type: ${type}`}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
const file = (changes: Partial<Part> = {}): Part => ({
  name: "file",
  filename: "a.png",
  type: "image/png",
  content: sampleFile("png"),
  ...changes,
});
const number = (content = "AB1"): Part => ({ name: "documentNumber", content });

/** Reads a form to its end. */
async function take(body: Readable, given: Record<string, string> = headers) {
  const { mediaType, content, texts } = await readForm(given, body, rules);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return { mediaType, content: Buffer.concat(chunks), texts: Object.fromEntries(await texts()) };
}
const whole = (...parts: Part[]): Readable => Readable.from([form(...parts)]);

describe("readForm", () => {
  it("gives the file byte for byte, and texts before and after it", async () => {
    const content = sampleFile("png", 300_000);

    for (const parts of [
      [file({ content }), number()],
      [number(), file({ content })],
    ]) {
      const found = await take(whole(...parts));
      expect(found).toMatchObject({ mediaType: "image/png", texts: { documentNumber: "AB1" } });
      expect(found.content.equals(content)).toBe(true);
    }
  });

  it.each([
    ["without a file", [number()], "file", "is required"],
    ["with nothing", [], "file", "is required"],
    ["with two files", [file(), file()], "file", "must be one file"],
    ["with its file under another name", [file({ name: "scan" })], "scan", "is not known"],
    ["with text for a file", [{ name: "file", content: "hello" }], "file", "must be a file"],
    ["with an unknown text", [file(), { name: "more", content: "x" }], "more", "is not known"],
    [
      "with a misspelt text",
      [file(), { name: "documentNumbr", content: "x" }],
      "documentNumbr",
      "is not known; did you mean documentNumber?",
    ],
    ["with a text twice", [number(), number("B"), file()], "documentNumber", "must be given once"],
    ["with a long text", [number("x".repeat(2_000)), file()], "documentNumber", "must be at most 1024 bytes long"],
    [
      "of too many parts",
      [file(), ...Array.from({ length: 20 }, () => number())],
      "documentNumber",
      "must be given once",
    ],
  ])("refuses a form %s", async (_case, parts, field, message) => {
    const refusal = { reason: "INVALID_ARGUMENT", violations: expect.arrayContaining([{ field, message }]) };

    await expect(take(whole(...parts))).rejects.toMatchObject(refusal);
  });

  it.each([
    ["another media type", { "content-type": "application/json" }, "MEDIA_TYPE_UNSUPPORTED"],
    ["no media type", {}, "MEDIA_TYPE_UNSUPPORTED"],
    ["no boundary", { "content-type": "multipart/form-data" }, "MEDIA_TYPE_UNSUPPORTED"],
    ["a compressed body", { ...headers, "content-encoding": "gzip" }, "MEDIA_TYPE_UNSUPPORTED"],
    ["a body that says it is too long", { ...headers, "content-length": "10600000" }, "BODY_TOO_LARGE"],
  ])("refuses %s before it reads", async (_case, given, reason) => {
    const body = whole(file());

    await expect(take(body, given)).rejects.toMatchObject({ reason });
    expect(body.readableDidRead).toBe(false);
  });

  it.each([10, 90, 130, 1_500])("refuses a form that ends after %i bytes", async (size) => {
    const cut = form(file({ content: sampleFile("png", 1_800) }), number()).subarray(0, size);

    await expect(take(Readable.from([cut]))).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
  });

  it("fails when the caller goes away", async () => {
    const body = new PassThrough();
    body.write(form(file()).subarray(0, 1_000));
    const taking = take(body);
    setImmediate(() => body.destroy());

    await expect(taking).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
  });

  it("reads no faster than the file is taken, and throws the rest away when it is not wanted", async () => {
    let sent = 0;
    const all = form(file({ content: sampleFile("png", 4_000_000) }));
    const body = Readable.from(
      (function* () {
        for (; sent < all.length; sent += 10_000) yield all.subarray(sent, sent + 10_000);
      })(),
    );

    const { content } = await readForm(headers, body, rules);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent).toBeLessThan(1_000_000);

    for await (const _chunk of content) break;
    await new Promise<void>((resolve) => void body.once("end", resolve));
    expect(sent).toBeGreaterThanOrEqual(all.length);
  });
});

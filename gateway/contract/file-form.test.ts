import { Readable } from "node:stream";
import type { TenantCall } from "../route";
import { defineRoute } from "./define-route";
import { fileForm } from "./file-form";

const portrait = fileForm({
  title: "Portrait",
  description: "A portrait.",
  file: { name: "image", description: "The image.", mediaTypes: ["image/png"], minBytes: 2, maxBytes: 1_000 },
  texts: {
    type: "object",
    description: "What is said of it.",
    properties: {
      label: { type: "string", description: "Its label.", pattern: "^[a-z]+$", rule: "must be small letters" },
    },
    additionalProperties: false,
  },
});

const seen: unknown[] = [];
const route = defineRoute({
  method: "POST",
  summary: "Hang a portrait.",
  tag: "Portraits",
  scheme: "tenant",
  scope: "agents",
  refusals: [],
  path: "/portraits",
  request: portrait,
  response: { status: 204, description: "It hangs." },
  async handle({ body: { mediaType, content, texts } }) {
    let size = 0;
    for await (const chunk of content) size += chunk.length;
    seen.push({ mediaType, size, label: (await texts()).label });
  },
});

interface Part {
  name?: string;
  type?: string;
  content?: string;
  label?: string;
  more?: string;
}

/** Sends a form with its texts before or after its file. */
async function send(
  { name = "image", type = "image/png", content = "abc", label, more }: Part,
  isTextFirst = false,
): Promise<unknown> {
  if (route.scheme !== "tenant") throw new Error("the row has another scheme");
  const claim = type === "" ? "" : `content-type: ${type}\r\n`;
  const text = (field: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
  const file = `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n${claim}\r\n${content}\r\n`;
  const texts = (label === undefined ? "" : text("label", label)) + (more === undefined ? "" : text("lable", more));
  const form = `${isTextFirst ? texts + file : file + texts}--b--\r\n`;
  const call: TenantCall = {
    tenant: "acme",
    params: {},
    headers: { "content-type": "multipart/form-data; boundary=b" },
    peer: { address: "127.0.0.1" } as TenantCall["peer"],
    query: "",
    body: Buffer.alloc(0),
    stream: Readable.from([Buffer.from(form)]),
    patience: { standAside: () => {}, arrived: () => {}, onGone: () => () => {} },
  };
  seen.length = 0;
  return route.handle(call).then(
    () => seen[0],
    (error: { reason: string; violations?: unknown[] }) => [error.reason, ...(error.violations ?? [])],
  );
}

const refusal = (field: string, message: string) => ["INVALID_ARGUMENT", { field, message }];

describe("a route that takes a file", () => {
  it.each([false, true])("hands on the file and its texts, texts first: %s", async (isTextFirst) => {
    const given = { type: "image/png", content: "a".repeat(1_000), label: "ana" };

    expect(await send(given, isTextFirst)).toEqual({ mediaType: "image/png", size: 1_000, label: "ana" });
  });

  it("takes a file whose type nobody knows, and needs no text", async () => {
    expect(await send({})).toMatchObject({ size: 3, label: undefined });
    expect(await send({ type: "application/octet-stream" })).toMatchObject({ size: 3 });
    expect(await send({ type: "IMAGE/PNG" })).toMatchObject({ size: 3 });
  });

  it("takes a file of which nothing is said for what its content will show", async () => {
    const unclaimed = { label: undefined, mediaType: "application/octet-stream", size: 3 };
    expect(await send({ type: "" })).toEqual(unclaimed);
    expect(await send({ type: "Text/Plain" })).toEqual(unclaimed);
  });

  it("refuses a file of another type, an empty or short one, and one that is too long", async () => {
    const types = "must have one of the content-types image/png, application/octet-stream";
    expect(await send({ type: "text/html" })).toEqual(refusal("image", types));
    expect(await send({ content: "" })).toEqual(refusal("image", "must be at least 2 bytes long"));
    expect(await send({ content: "a" })).toEqual(refusal("image", "must be at least 2 bytes long"));
    expect(await send({ content: "a".repeat(1_001) })).toEqual(["BODY_TOO_LARGE"]);
  });

  it.each([false, true])(
    "refuses texts by their schema, and those that it does not know, first: %s",
    async (isFirst) => {
      expect(await send({ label: "ANA" }, isFirst)).toEqual(refusal("label", "must be small letters"));
      expect(await send({ more: "ana" }, isFirst)).toEqual(refusal("lable", "is not known; did you mean label?"));
      expect(await send({ name: "imag" }, isFirst)).toEqual(refusal("imag", "is not known; did you mean image?"));
    },
  );

  it("is a row that shows the form", () => {
    expect(route).toMatchObject({
      body: "file",
      requestSchema: {
        title: "Portrait",
        properties: {
          image: { type: "string", description: "The image. From 2 to 1000 bytes.", contentMediaType: "image/png" },
          label: { pattern: "^[a-z]+$" },
        },
        required: ["image"],
        additionalProperties: false,
      },
    });
  });
});

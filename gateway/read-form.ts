import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import busboy from "busboy";
import { readCallerText } from "../services/shared/kernel/caller-text";
import { DomainError, type FieldViolation, invalid } from "../services/shared/kernel/errors";
import { unknownMember } from "./contract/violations";

/** Permitted content of a form: one file, and texts that are all optional. */
export interface FormRules {
  file: string;
  texts: readonly string[];
  /** Largest file, bytes. */
  maxFileBytes: number;
}

/** The file of a form as it arrives. */
export interface FormFile {
  /** Media type that the caller claims. */
  mediaType: string;
  content: AsyncIterable<Buffer>;
  /** The texts of the form, once `content` has ended. Throws INVALID_ARGUMENT with every rule that the form broke. */
  texts(): Promise<ReadonlyMap<string, string>>;
}

/** Allowance for what surrounds the file: boundaries, headers of parts, texts. */
const maxOverheadBytes = 16 * 1024;
const limits = { files: 1, fields: 8, fieldSize: 1_024, fieldNameSize: 64, parts: 12, headerPairs: 16 };
const mediaType = /^multipart\/form-data\s*;\s*boundary=/i;

/**
 * Reads a form up to its file, and the file no faster than its consumer does. Nothing of the file is kept here. Throws
 * MEDIA_TYPE_UNSUPPORTED for a body that is not a form, BODY_TOO_LARGE for one with too large a declared length, and INVALID_ARGUMENT for
 * one without a file. The consumer of the file must read it to its end or end its iteration.
 */
export async function readForm(headers: IncomingHttpHeaders, body: Readable, rules: FormRules): Promise<FormFile> {
  requireHeaders(headers, rules.maxFileBytes);
  const violations: FieldViolation[] = [];
  const texts = new Map<string, string>();
  const parser = openParser(headers);
  const refuse = (name: string, message: string): void => {
    const field = "problem" in readCallerText(name) ? "body" : name.slice(0, 64);
    violations.push({ field, message });
  };
  const refuseUnknown = (name: string): void => refuse(name, unknownMember(name, [rules.file, ...rules.texts]));
  const keepText = (name: string, read: ReturnType<typeof readCallerText>): void => {
    if ("problem" in read) refuse(name, read.problem);
    else texts.set(name, read.value);
  };
  parser.on("field", (name, value, { nameTruncated, valueTruncated }) => {
    if (name === rules.file) refuse(name, "must be a file");
    else if (!rules.texts.includes(name) || nameTruncated) refuseUnknown(name);
    else if (texts.has(name)) refuse(name, "must be given once");
    else if (valueTruncated) refuse(name, `must be at most ${limits.fieldSize} bytes long`);
    else keepText(name, readCallerText(value, name));
  });
  for (const limit of ["partsLimit", "fieldsLimit"]) parser.on(limit, () => refuse("body", "has too many parts"));
  parser.on("filesLimit", () => refuse(rules.file, "must be one file"));
  const found = new Promise<{ name: string; type: string; stream: Readable } | undefined>((resolve) => {
    parser.once("file", (name, stream, { filename = "", mimeType }) => {
      // A form may omit it, despite its type.
      const named = readCallerText(filename);
      if ("problem" in named) refuse(name, `has a name, which ${named.problem}`);
      // The stream may fail before it is consumed; its consumer then gets the failure.
      stream.on("error", () => undefined);
      resolve({ name, stream, type: mimeType });
    });
    parser.once("close", () => resolve(undefined));
    parser.on("error", () => undefined);
  });
  const ended = pour(body, parser);
  // Its failure reaches code that awaits it; it need not be awaited.
  ended.catch(() => undefined);
  const file = await Promise.race([found, ended.then(() => found)]);
  const finish = async (): Promise<void> => {
    await ended;
    if (file === undefined && violations.length === 0) refuse(rules.file, "is required");
    if (violations.length > 0) throw invalid(violations);
  };
  if (file === undefined || file.name !== rules.file) {
    if (file !== undefined) refuseUnknown(file.name);
    file?.stream.resume();
    await finish();
    throw new Error("a form without its file was not refused");
  }
  return {
    mediaType: file.type,
    content: taken(file.stream, body, parser),
    async texts() {
      await finish();
      return texts;
    },
  };
}

function requireHeaders(headers: IncomingHttpHeaders, maxFileBytes: number): void {
  const { "content-type": type = "", "content-encoding": encoding = "identity", "content-length": length } = headers;
  if (encoding.toLowerCase() !== "identity") {
    throw new DomainError("MEDIA_TYPE_UNSUPPORTED", "content-encoding is not supported");
  }
  if (!mediaType.test(type))
    throw new DomainError("MEDIA_TYPE_UNSUPPORTED", "content-type must be multipart/form-data");
  if (length !== undefined && Number.parseInt(length, 10) > maxFileBytes + maxOverheadBytes) {
    throw new DomainError("BODY_TOO_LARGE", `a file must be at most ${maxFileBytes} bytes long`);
  }
}

function openParser(headers: IncomingHttpHeaders): busboy.Busboy {
  try {
    return busboy({ headers, limits, defParamCharset: "utf8" });
  } catch (cause) {
    throw malformed(cause);
  }
}

const malformed = (cause: unknown): DomainError =>
  new DomainError("INVALID_ARGUMENT", "the body must be a complete multipart form", {
    cause,
    violations: [{ field: "body", message: "must be a complete multipart form" }],
  });

/** Lets the body flow into the parser; fails when either does. The body itself stays open, so that it can be answered. */
async function pour(body: Readable, parser: busboy.Busboy): Promise<void> {
  const onClose = (): void => {
    if (!body.readableEnded) parser.destroy(new Error("the body was cut off"));
  };
  body.once("close", onClose);
  body.pipe(parser);
  try {
    await once(parser, "close");
  } catch (error) {
    throw malformed(error);
  } finally {
    body.off("close", onClose);
    release(body, parser);
  }
}

/** Bytes that a refused request still sends are discarded. */
function release(body: Readable, parser: busboy.Busboy): void {
  body.unpipe(parser);
  body.resume();
}

async function* taken(stream: Readable, body: Readable, parser: busboy.Busboy): AsyncGenerator<Buffer> {
  let isWhole = false;
  try {
    for await (const chunk of stream) yield chunk;
    isWhole = true;
  } catch (error) {
    throw malformed(error);
  } finally {
    if (!isWhole) {
      release(body, parser);
      parser.destroy();
    }
  }
}

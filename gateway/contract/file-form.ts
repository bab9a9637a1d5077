import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { DomainError, invalid } from "../../services/shared/kernel/errors";
import { readForm } from "../read-form";
import type { DocumentSchema } from "../route";
import { readValue } from "./compile";
import type { Infer } from "./infer";
import { namedByCaller } from "./request-fields";
import type { ObjectSchema, Schema } from "./schema";

/** Rules for a file. */
export interface FileRules {
  /** Its field in the form. */
  readonly name: string;
  readonly description: string;
  /**
   * Media types that a caller may claim for it, beside the uninformative application/octet-stream. A part without a type is a text (RFC
   * 7578 section 4.4), and is refused as one.
   */
  readonly mediaTypes: readonly string[];
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** The texts of a form, all of them optional: they may come after the file, when it was already read. */
export type FormTexts = ObjectSchema & { readonly required?: never };

/** The contract of a body that is a form of one file and texts. */
export interface FileForm<Texts extends FormTexts = FormTexts> {
  readonly kind: "file";
  /** Name of its component in the document. */
  readonly title: string;
  readonly description: string;
  readonly file: FileRules;
  readonly texts: Texts;
}

/** A form as passed to a handler. */
export interface SentFile<Texts> {
  /** Media type that the caller claims. */
  mediaType: string;
  /** Throws BODY_TOO_LARGE or INVALID_ARGUMENT for a file that breaks its bounds. It must be read to its end, or its iteration ended. */
  content: AsyncIterable<Buffer>;
  /** Returns the texts, once `content` has ended. Throws INVALID_ARGUMENT with every rule that they break. */
  texts(): Promise<Texts>;
}

/** The contract of a form with a file. */
export const fileForm = <const Texts extends FormTexts>(form: Omit<FileForm<Texts>, "kind">): FileForm<Texts> => ({
  ...form,
  kind: "file",
});

const noNumbers: ReadonlyMap<string, string> = new Map();
/** The media type that claims nothing. */
const noClaim = "application/octet-stream";

/** Makes the reader of a form: it reads up to the file, and the file no faster than its consumer does. */
export function fileReader<const Texts extends FormTexts>({
  file,
  texts,
}: FileForm<Texts>): (headers: IncomingHttpHeaders, body: Readable) => Promise<SentFile<Infer<Texts>>> {
  const readTexts = readValue(texts as Schema);
  const rules = { file: file.name, texts: Object.keys(texts.properties ?? {}), maxFileBytes: file.maxBytes };
  return async (headers, body) => {
    const sent = await readForm(headers, body, rules);
    return {
      mediaType: claimOf(sent.mediaType),
      content: withinBounds(sent.content, claimOf(sent.mediaType), file),
      async texts() {
        const given = await sent.texts().catch((error: unknown) => {
          throw namedByCaller(error);
        });
        const { value, violations } = readTexts(Object.fromEntries(given), noNumbers);
        if (violations !== undefined) throw namedByCaller(invalid(violations));
        // The schema has checked and typed them.
        return value as Infer<Texts>;
      },
    };
  };
}

/** The media type that a part claims for its file. The parser reports plain text if there is none (RFC 7578, 4.4). */
const claimOf = (mediaType: string): string =>
  mediaType.toLowerCase() === "text/plain" ? noClaim : mediaType.toLowerCase();

/** Yields the file as long as it keeps its rules. A file that is refused at its start ends the form. */
async function* withinBounds(
  content: AsyncIterable<Buffer>,
  mediaType: string,
  { name, mediaTypes, minBytes, maxBytes }: FileRules,
): AsyncGenerator<Buffer> {
  const taken = [...mediaTypes, noClaim];
  let size = 0;
  for await (const chunk of content) {
    if (!taken.includes(mediaType)) throw refused(name, `must have one of the content-types ${taken.join(", ")}`);
    size += chunk.length;
    if (size > maxBytes) throw new DomainError("BODY_TOO_LARGE", `a file must be at most ${maxBytes} bytes long`);
    yield chunk;
  }
  if (size < minBytes) {
    throw refused(name, minBytes === 1 ? "must not be empty" : `must be at least ${minBytes} bytes long`);
  }
}

const refused = (field: string, message: string): DomainError => invalid([{ field, message }]);

/** Returns the form as the OpenAPI document shows it. */
export const describedForm = ({ title, description, file, texts }: FileForm): DocumentSchema => ({
  type: "object",
  title,
  description,
  properties: {
    [file.name]: {
      type: "string",
      description: `${file.description} From ${file.minBytes} to ${file.maxBytes} bytes.`,
      contentMediaType: file.mediaTypes[0],
    },
    ...texts.properties,
  },
  required: [file.name],
  additionalProperties: false,
});

import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { DomainError, invalid } from "../../services/shared/kernel/errors";
import { readForm } from "../read-form";
import type { DocumentSchema } from "../route";
import { readValue } from "./compile";
import type { Infer } from "./infer";
import { namedByCaller } from "./request-fields";
import type { ObjectSchema, Schema } from "./schema";

/** What a file may be. */
export interface FileRules {
  /** Its field of the form. */
  readonly name: string;
  readonly description: string;
  /**
   * Media types that a caller may claim for it, beside application/octet-stream, which says nothing. A part without a type is a text
   * (RFC 7578 section 4.4), and is refused as one.
   */
  readonly mediaTypes: readonly string[];
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** The texts of a form, of which none is needed: they may come after the file, when it was taken already. */
export type FormTexts = ObjectSchema & { readonly required?: never };

/** The contract of a body that is a form of one file and texts. */
export interface FileForm<Texts extends FormTexts = FormTexts> {
  readonly kind: "file";
  /** Name of the component that the document has for it. */
  readonly title: string;
  readonly description: string;
  readonly file: FileRules;
  readonly texts: Texts;
}

/** A form as a handler gets it. */
export interface SentFile<Texts> {
  /** Media type that the caller claims. */
  mediaType: string;
  /** Throws BODY_TOO_LARGE or INVALID_ARGUMENT for a file that breaks its bounds. It must be taken to its end, or be ended. */
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
/** The claim that says nothing. */
const noClaim = "application/octet-stream";

/** Makes the reader of a form: it reads up to the file, and the file no faster than it is taken. */
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
        // The schema has read them.
        return value as Infer<Texts>;
      },
    };
  };
}

/** What a part says of its file. The parser calls one that says nothing plain text (RFC 7578, 4.4). */
const claimOf = (mediaType: string): string =>
  mediaType.toLowerCase() === "text/plain" ? noClaim : mediaType.toLowerCase();

/** The file as long as it keeps its rules. What is refused at its start ends the form with it. */
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

/** The form as the OpenAPI document shows it. */
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

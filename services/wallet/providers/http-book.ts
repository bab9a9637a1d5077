import { request } from "undici";
import { assetMinor } from "../../shared/assets";
import { DomainError } from "../../shared/errors";
import { parseDecimal } from "../../shared/money";
import type { ProviderRecord } from "../domain/reconciliation";
import type { ProviderBook } from "../ports";

/** A list of what providers did may be long; it is read whole. */
const maxBytes = 256 * 1024 * 1024;
const timeoutMs = 30_000;

/**
 * The providers' book over HTTP: `GET {url}/book` lists payout instructions, card authorizations and bank debits with their
 * state. Any answer that is not such a list is UNAVAILABLE: an unread book must never look like an empty one.
 */
export const makeHttpBook = (url: string): ProviderBook => ({
  async read() {
    try {
      const { statusCode, body } = await request(`${url}/book`, { headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
      const text = await readBounded(body);
      if (statusCode !== 200) throw new Error(`the book was answered with ${statusCode}`);
      const book: unknown = JSON.parse(text);
      return [
        ...listOf(book, "instructions").map(instruction),
        ...listOf(book, "authorizations").map(authorization),
        ...listOf(book, "debits").map(debit),
      ];
    } catch (error) {
      throw new DomainError("UNAVAILABLE", "the providers' book cannot be read", { cause: error });
    }
  },
});

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new Error("the book is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null) throw new Error("a record of the book is no object");
  return Object.fromEntries(Object.entries(value));
}

function listOf(book: unknown, name: string): Fields[] {
  const list = fieldsOf(book)[name];
  if (!Array.isArray(list)) throw new Error(`the book has no ${name}`);
  return list.map(fieldsOf);
}

function textOf(fields: Fields, name: string): string {
  const text = fields[name];
  if (typeof text !== "string") throw new Error(`a record of the book lacks ${name}`);
  return text;
}

function minorOf(fields: Fields, asset: string): bigint {
  const decimal = parseDecimal(textOf(fields, "amount"));
  const minor = decimal === undefined ? undefined : assetMinor(decimal, asset);
  if (minor === undefined) throw new Error("an amount of the book cannot be read");
  return minor;
}

const stepsOf = (fields: Fields, name: string, asset: string): bigint =>
  listOf(fields, name).reduce((sum, step) => sum + minorOf(step, asset), 0n);

/** A payout: paid out is positive on the provider's clearing account. */
function instruction(fields: Fields): ProviderRecord {
  const status = textOf(fields, "status");
  const isPaid = status === "PAID";
  // A tombstone of a cancelled reference has no amount.
  const asset = typeof fields["currency"] === "string" ? fields["currency"] : "";
  const { releases } = fields;
  return {
    provider: textOf(fields, "rail"),
    reference: textOf(fields, "reference"),
    asset,
    minor: isPaid ? minorOf(fields, asset) : 0n,
    isOpen: ["PREPARED", "HELD", "RELEASED", "FORGOTTEN"].includes(status),
    executions: typeof releases === "number" ? releases : 0,
  };
}

/** A card payment: what was captured and not refunded is owed to us, so it is negative. */
function authorization(fields: Fields): ProviderRecord {
  const asset = textOf(fields, "currency");
  const status = textOf(fields, "status");
  return {
    provider: "acquirer",
    reference: textOf(fields, "reference"),
    asset,
    minor: stepsOf(fields, "refunds", asset) - stepsOf(fields, "captures", asset),
    isOpen: status === "CHALLENGE",
    executions: listOf(fields, "captures").length,
  };
}

/** A bank debit: what was collected and not refunded is owed to us. */
function debit(fields: Fields): ProviderRecord {
  const asset = textOf(fields, "currency");
  const status = textOf(fields, "status");
  const isSettled = status === "SETTLED";
  return {
    provider: "debits",
    reference: textOf(fields, "reference"),
    asset,
    minor: isSettled ? stepsOf(fields, "refunds", asset) - minorOf(fields, asset) : 0n,
    isOpen: status === "ACCEPTED",
    executions: isSettled ? 1 : 0,
  };
}

/** Encodes a message: fields ascending, defaults omitted. */
interface MessageCodec<M> {
  encode(message: M): { finish(): Uint8Array };
  decode(bytes: Uint8Array): M;
}

/**
 * Maps each field of a message to fields of the REST API, with the part of the message for each. A message field without a
 * row does not compile.
 */
export type FingerprintRows<M> = { readonly [F in keyof M]-?: (message: M) => Readonly<Record<string, Partial<M>>> };

/**
 * Returns the canonical bytes of each part of a message, as text, by the part's name in the REST API. Absent or default
 * parts have no row, so a later field does not change the fingerprint of a request that does not set it. Stored
 * fingerprints consist of these rows: a changed rule needs a new `contentVersion`, beside the previous one.
 */
export function fingerprint<M>(codec: MessageCodec<M>, rows: FingerprintRows<M>, message: M): Record<string, string> {
  const empty = codec.decode(new Uint8Array());
  const parts = Object.assign({}, ...Object.keys(rows).map((field) => rows[field as keyof M](message))) as Readonly<
    Record<string, Partial<M>>
  >;
  const texts = Object.entries(parts).map(([name, part]): [string, string] => [
    name,
    Buffer.from(codec.encode({ ...empty, ...part }).finish()).toString("base64url"),
  ]);
  return Object.fromEntries(texts.filter(([, text]) => text !== "").toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

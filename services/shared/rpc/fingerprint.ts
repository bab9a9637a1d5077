/** What writes a message as bytes: fields ascending, defaults left out. */
interface MessageCodec<M> {
  encode(message: M): { finish(): Uint8Array };
  decode(bytes: Uint8Array): M;
}

/**
 * Says for each field of a message which fields of the REST API it is, and the part of the message that each of these is. A
 * field of the message without a row does not compile.
 */
export type FingerprintRows<M> = { readonly [F in keyof M]-?: (message: M) => Readonly<Record<string, Partial<M>>> };

/**
 * Returns the canonical bytes of each part of a message, as text, by the part's name in the REST API. Parts that are absent or
 * default have no row, so that a later field changes no fingerprint of who does not set it. Stored fingerprints are made of
 * these rows: a rule that changes is a new `contentVersion`, and the one before stays beside it.
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

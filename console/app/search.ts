/** The parameters of the address after its `?`: plain texts, each of them optional. */
export type Search = Readonly<Record<string, string | undefined>>;

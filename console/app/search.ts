/** What the address says behind its `?`: plain texts, each of them optional. */
export type Search = Readonly<Record<string, string | undefined>>;

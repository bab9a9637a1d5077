/** Keys of one purpose, the newest first: it seals or digests, and what any of them has made is known. */
export type Keys = readonly [Buffer, ...Buffer[]];

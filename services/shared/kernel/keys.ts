/** Keys of one purpose, newest first: the newest seals or digests, and all of them open or verify. */
export type Keys = readonly [Buffer, ...Buffer[]];

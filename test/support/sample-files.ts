import { randomBytes } from "node:crypto";

const signatures = {
  png: Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154", "hex"),
  jpeg: Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  pdf: Buffer.from("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1"),
  gif: Buffer.from("GIF89a\u0001\u0000\u0001\u0000", "latin1"),
};

/** Makes a file with the first bytes of a type; the others are random, so that no two are the same. */
export const sampleFile = (type: keyof typeof signatures, size = 2_000): Buffer =>
  Buffer.concat([signatures[type], randomBytes(Math.max(0, size - signatures[type].length))]);

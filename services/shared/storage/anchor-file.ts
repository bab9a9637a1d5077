import { appendFile, open } from "node:fs/promises";
import { type Anchors, anchorText, parseAnchor } from "../crypto/anchor";

/** Number of bytes that are read from the file's end: about a hundred anchors. */
const readBytes = 65_536;

/** Keeps anchors in a file, one per line. The file may be replaced by its own last lines. */
export const makeAnchorFile = (path: string): Anchors => ({
  add: (anchor) => appendFile(path, `${anchorText(anchor)}\n`, { flush: true }),
  async latest() {
    const file = await open(path, "a+");
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - readBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      const lines = buffer.subarray(0, bytesRead).toString("utf8").split("\n");
      // The first line may be a fragment, and the last one may be incomplete.
      return lines.slice(from === 0 ? 0 : 1, -1).map(parseAnchor);
    } finally {
      await file.close();
    }
  },
});

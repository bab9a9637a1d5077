/** So long after the last key or click a page still counts as used, milliseconds. */
const usedForMs = 60_000;
let lastUsedAt = Date.now();

/** Notes that somebody works with the page. */
export function noteUse(): () => void {
  const note = (): void => {
    lastUsedAt = Date.now();
  };
  const kinds = ["pointerdown", "keydown"] as const;
  for (const kind of kinds) document.addEventListener(kind, note, { capture: true, passive: true });
  return () => {
    for (const kind of kinds) document.removeEventListener(kind, note, { capture: true });
  };
}

/** True while what the page asks for is asked by somebody. What it asks for by itself keeps no session alive. */
export const isUsed = (): boolean => Date.now() - lastUsedAt < usedForMs;

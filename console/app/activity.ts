/** How long after the last key or click a page still counts as used, milliseconds. */
const usedForMs = 60_000;
let lastUsedAt = Date.now();

/** Notes that a person works with the page. */
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

/** True while the page's requests come from a person. Requests that a page makes by itself keep no session alive. */
export const isUsed = (): boolean => Date.now() - lastUsedAt < usedForMs;

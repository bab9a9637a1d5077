import { useEffect, useState } from "react";

/** The value once it has stayed the same for so many milliseconds; until then the one before. */
export function useSettled<T>(value: T, quietMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), quietMs);
    return () => window.clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}

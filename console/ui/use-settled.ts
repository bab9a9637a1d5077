import { useEffect, useState } from "react";

/** Returns the value once it has stayed the same for the given milliseconds; until then the one before. */
export function useSettled<T>(value: T, quietMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), quietMs);
    return () => window.clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}

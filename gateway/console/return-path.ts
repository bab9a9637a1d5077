/** Returns a path within the console; anything that could lead elsewhere becomes its first page. */
export function returnPath(given = "/"): string {
  const base = "http://console.invalid";
  if (!given.startsWith("/") || !URL.canParse(given, base)) return "/";
  const { origin, pathname, search, hash } = new URL(given, base);
  const path = pathname + search + hash;
  return origin === base && !path.startsWith("//") && !pathname.startsWith("/api/") ? path : "/";
}

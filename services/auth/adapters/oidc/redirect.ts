import { isLoopback } from "../../domain/oidc-settings";

/** True for an exact match with one of the addresses; a loopback address matches with any port (RFC 8252 section 7.3). */
export const takesRedirect = (uri: string, known: readonly string[]): boolean =>
  URL.canParse(uri) &&
  known.some((one) => one === uri || (isLoopback(one) && isLoopback(uri) && sameButPort(one, uri)));

function sameButPort(one: string, other: string): boolean {
  const plain = (text: string): string => {
    const url = new URL(text);
    url.port = "";
    return url.href;
  };
  return plain(one) === plain(other);
}

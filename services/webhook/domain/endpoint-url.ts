import type { FieldViolation } from "../../shared/kernel/errors";

/** Ports that an endpoint may have. */
export type Ports = "443 or 8443" | "443, 8443 or above 1023";

const maxLength = 2_048;
/** Characters that URL parsers drop or turn into a slash (white space, control characters, backslashes). */
const neverInUrls = /[\s\p{Cc}\\]/u;

/** Every rule that the address of an endpoint breaks. */
export function endpointUrlViolations(url: string, ports: Ports): FieldViolation[] {
  if (url === "") return [{ field: "url", message: "is required and must be a string" }];
  if (url.length > maxLength) return [{ field: "url", message: `must be at most ${maxLength} characters long` }];
  if (!URL.canParse(url) || neverInUrls.test(url)) return [{ field: "url", message: "must be a URL" }];
  const { username, password, port, hash } = new URL(url);
  const rules: [boolean, string][] = [
    [/^https:\/\/[^/]/i.test(url), "must begin with https://"],
    [username === "" && password === "", "must not carry user information"],
    [hash === "" && !url.endsWith("#"), "must not have a fragment"],
    [isAllowedPort(port, ports), `must have port ${ports}`],
  ];
  return rules.filter(([holds]) => !holds).map(([, message]) => ({ field: "url", message }));
}

/** A URL has no port when it is the default one, 443. */
function isAllowedPort(port: string, ports: Ports): boolean {
  if (port === "" || port === "8443") return true;
  return ports === "443, 8443 or above 1023" && Number.parseInt(port, 10) > 1_023;
}

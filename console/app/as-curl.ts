const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Renders a call of a page as a curl command at the public address: the same row, with a token in place of the cookie. */
export function asCurl({
  method,
  path,
  body,
}: {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}): string {
  const isOperator = path.startsWith("/api/o/");
  const target = path.replace(/^\/api\/(?:o|t\/[^/]+)/, "");
  const parts = [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} "$${isOperator ? "OPERATOR_BASE" : "BASE"}"${quoted(target)}`,
    `-H "authorization: Bearer $TOKEN"`,
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "../../services/shared/errors";
import { type Answer, type Call, jsonAnswer, type Route, requireParam } from "../route";

/** Nothing from anywhere else; the viewer's style sheet needs inline styles and data images. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Corridor API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const startScript = `SwaggerUIBundle({ url: "/openapi.json", domNode: document.getElementById("api"), validatorUrl: null });
`;

const assets = new Map<string, { mediaType: string; read(): Promise<Buffer> }>([
  ["start.js", { mediaType: "text/javascript; charset=utf-8", read: () => Promise.resolve(Buffer.from(startScript)) }],
  ["swagger-ui.css", { mediaType: "text/css; charset=utf-8", read: () => readPackaged("swagger-ui.css") }],
  [
    "swagger-ui-bundle.js",
    { mediaType: "text/javascript; charset=utf-8", read: () => readPackaged("swagger-ui-bundle.js") },
  ],
]);

/** Read when somebody asks for it: a page that few open must not cost memory or start-up time. */
const readPackaged = (name: string): Promise<Buffer> =>
  readFile(join(dirname(require.resolve("swagger-ui-dist/package.json")), name));

const pageAnswer = (mediaType: string, body: Buffer): Answer => ({
  status: 200,
  headers: { "content-type": mediaType, "content-security-policy": pagePolicy, "cache-control": "no-cache" },
  body,
});

/** The OpenAPI document and a page that shows it without any request to the outside. */
export function documentRoutes(openApi: () => object): readonly Route[] {
  const common = { method: "GET", scheme: "none", tag: "Metadata", body: "none" } as const;
  let document: Answer | undefined;
  return [
    {
      ...common,
      path: "/openapi.json",
      summary: "This document.",
      success: { status: 200, description: "OpenAPI 3.1.", schema: { type: "object" } },
      refusals: [],
      handle() {
        document ??= jsonAnswer(openApi());
        return Promise.resolve(document);
      },
    },
    {
      ...common,
      path: "/docs",
      summary: "A page that shows this document.",
      success: { status: 200, description: "The page.", mediaType: "text/html", schema: { type: "string" } },
      refusals: [],
      handle: () => Promise.resolve(pageAnswer("text/html; charset=utf-8", Buffer.from(page))),
    },
    {
      ...common,
      path: "/docs/{asset}",
      summary: "Scripts and styles of the page.",
      params: { asset: "Name of the file." },
      success: { status: 200, description: "The file.", mediaType: "text/plain", schema: { type: "string" } },
      refusals: ["ROUTE_NOT_FOUND"],
      async handle(call: Call) {
        const asset = assets.get(requireParam(call, "asset"));
        if (asset === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
        return pageAnswer(asset.mediaType, await asset.read());
      },
    },
  ];
}

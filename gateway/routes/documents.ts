import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { DomainError } from "../../services/shared/kernel/errors";
import { defineRoute, type MadeElsewhere } from "../contract/define-route";
import { text } from "../contract/parts";
import type { Schema } from "../contract/schema";
import { guideNames, guidePage, guideStyle, navigation, searchScript } from "../guides/guides";
import type { Route } from "../route";
import { jsonSteps, type Steps, turnByTurn } from "../steps";

/** Allows nothing from other origins; the viewer's style sheet needs inline styles and data images. */
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
    <link rel="stylesheet" href="/docs/guides.css">
  </head>
  <body>
    ${navigation}
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
    <script src="/docs/search.js"></script>
  </body>
</html>
`;

const startScript = `SwaggerUIBundle({ url: "/openapi.json", domNode: document.getElementById("api"), validatorUrl: null, deepLinking: true });
// The viewer reads the place of an operation only when it starts.
addEventListener("hashchange", () => location.reload());
`;

const encode = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** The best compression that is fast enough while a caller waits. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

type Coding = "br" | "gzip" | "identity";

/** A document in the content codings that it was asked for in: one copy for all readers. */
type Document = (coding: Coding) => Promise<Buffer>;

/** Makes each coding on the first request for it: a page that few open must not cost memory or start-up time. */
function kept(read: () => Promise<Buffer>): Document {
  const plain = once(read);
  const codings = {
    br: once(async () => encode.br(await plain(), brotliQuality)),
    gzip: once(async () => encode.gzip(await plain())),
    identity: plain,
  };
  return (coding) => codings[coding]();
}

/** Keeps the result for all later calls; a failure is not kept. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const keptText = (text: string): Document => kept(() => Promise.resolve(Buffer.from(text)));
const keptPackaged = (name: string): Document =>
  kept(() => readFile(join(dirname(require.resolve("swagger-ui-dist/package.json")), name)));

const keptMade = (make: () => Promise<string>): Document => kept(async () => Buffer.from(await make()));

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const assets = new Map([
  ["guides.css", { mediaType: style, document: keptText(guideStyle) }],
  ["search.js", { mediaType: script, document: keptMade(searchScript) }],
  ["start.js", { mediaType: script, document: keptText(startScript) }],
  ["swagger-ui.css", { mediaType: style, document: keptPackaged("swagger-ui.css") }],
  ["swagger-ui-bundle.js", { mediaType: script, document: keptPackaged("swagger-ui-bundle.js") }],
]);
const keptPage = keptText(page);
const guides = new Map<string, Document>(guideNames.map((name) => [name, keptMade(() => guidePage(name))]));

/** Returns the first of our codings that the caller accepts (RFC 9110 section 12.5.3). */
function codingFor(accepted: string | string[] | undefined): Coding {
  const names = String(accepted ?? "")
    .split(",")
    .flatMap((one) => (/;\s*q=0(?:\.0*)?\s*$/.test(one) ? [] : [one.split(";")[0]?.trim().toLowerCase() ?? ""]));
  return (["br", "gzip"] as const).find((name) => names.includes(name)) ?? "identity";
}

async function answerOf(
  asked: IncomingHttpHeaders,
  document: Document,
  own: Readonly<Record<string, string>>,
): Promise<MadeElsewhere> {
  const coding = codingFor(asked["accept-encoding"]);
  const headers = {
    ...own,
    vary: "accept-encoding",
    ...(coding === "identity" ? {} : { "content-encoding": coding }),
  };
  return { madeElsewhere: { status: 200, headers, body: await document(coding), isShared: true } };
}

const pageHeaders = (mediaType: string) => ({
  "content-type": mediaType,
  "content-security-policy": pagePolicy,
  "cache-control": "no-cache",
});

const file = text("The bytes of the file.");
const openApiDocument = {
  type: "object",
  description: "OpenAPI 3.1.",
  additionalProperties: true,
  examples: [{ openapi: "3.1.0" }],
} as const satisfies Schema;

const common = { method: "GET", scheme: "none", tag: "Metadata" } as const;

/** The OpenAPI document of a table, for every caller or for operators only. Its making keeps no other caller waiting. */
export function documentRoute(openApi: () => Steps<object>, scheme: "none" | "operator" = "none"): Route {
  const document = keptMade(async () => turnByTurn(jsonSteps(await turnByTurn(openApi()))));
  return defineRoute({
    ...common,
    scheme,
    path: "/openapi.json",
    summary: "This document.",
    response: { status: 200, description: "OpenAPI 3.1.", schema: openApiDocument },
    refusals: [],
    handle: async ({ headers }) => answerOf(headers, document, { "content-type": "application/json" }),
  });
}

/** The OpenAPI document and a page that shows it without any request to the outside. */
export function documentRoutes(openApi: () => Steps<object>): readonly Route[] {
  return [
    documentRoute(openApi),
    defineRoute({
      ...common,
      path: "/docs",
      summary: "A page that shows this document.",
      response: { status: 200, description: "The page.", mediaType: "text/html", schema: file },
      refusals: [],
      handle: async ({ headers }) => answerOf(headers, keptPage, pageHeaders("text/html; charset=utf-8")),
    }),
    defineRoute({
      ...common,
      path: "/docs/{asset}",
      summary: "Scripts and styles of the page.",
      params: { asset: "Name of the file." },
      response: {
        status: 200,
        description: "The file.",
        mediaType: "text/javascript",
        schema: file,
        also: { mediaType: "text/css", schema: file },
      },
      refusals: ["ROUTE_NOT_FOUND"],
      async handle({ headers, params }) {
        const asset = assets.get(params.asset);
        if (asset === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
        return answerOf(headers, asset.document, pageHeaders(asset.mediaType));
      },
    }),
    defineRoute({
      ...common,
      path: "/docs/guides/{guide}",
      summary: "A guide, as a page.",
      params: { guide: "Name of the guide, for example first-payout." },
      response: { status: 200, description: "The page.", mediaType: "text/html", schema: file },
      refusals: ["ROUTE_NOT_FOUND"],
      async handle({ headers, params }) {
        const guide = guides.get(params.guide);
        if (guide === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
        return answerOf(headers, guide, pageHeaders("text/html; charset=utf-8"));
      },
    }),
  ];
}

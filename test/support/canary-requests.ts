import { randomUUID } from "node:crypto";
import type { Route } from "../../gateway/route";
import { type Canaries, type CanaryName, canaryNames } from "./canaries";
import { goodBodies } from "./canary-bodies";
import { exampleBody, type FieldPath, textFields, withText } from "./request-fields";

/** A request, and the field that its canary is in. */
export interface Sent {
  place: string;
  method: string;
  path: string;
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
}

/** What requests are made of: values to plant, and ids of what was made before. */
interface Planting {
  canaries: Canaries;
  ids: Readonly<Record<string, string>>;
}

/** `make test` sends card numbers and every fourth other kind to each field, other ones to the next; `make test-long` sends all kinds to each. */
const step = Number(process.env["RANDOM_FACTOR"] ?? "1") >= 10 ? 1 : 4;
const someKinds = (index: number): CanaryName[] =>
  canaryNames.filter((kind, place) => kind === "pan" || (place + index) % step === 0);

const named = (param: string, value: string): Record<string, string> => ({
  [param]: value,
  ...(param === "id" && { transactionId: value }),
});

/** The path of a route in the words of one who knows its objects; what is deleted must not be what others need. */
export function pathOf(
  { method, path }: Pick<Route, "method" | "path">,
  ids: Readonly<Record<string, string>>,
): string {
  const known = method === "DELETE" ? { tenant: ids["tenant"] } : ids;
  const isTransaction = path.startsWith("/fx/transactions/{id}");
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = isTransaction && name === "id" ? (ids["transactionId"] ?? "") : (Object(known)[name] ?? randomUUID());
    return encodeURIComponent(String(value));
  });
}

/** One request for each kind of canary and each text that a route takes. */
export function requestsOf(
  route: Route,
  headers: Readonly<Record<string, string>>,
  { canaries, ids }: Planting,
): Sent[] {
  const name = `${route.method} ${route.path}`;
  const path = pathOf(route, ids);
  const { method } = route;
  const params = [...route.path.matchAll(/\{(\w+)\}/g)]
    .map(([, param = ""]) => param)
    .filter((one) => one !== "tenant");
  const inPath = params.flatMap((param, index) =>
    someKinds(index).map((kind) => {
      const place = `${name} {${param}}`;
      const body = /json$/i.test(route.body) ? "{}" : undefined;
      return {
        place,
        method,
        path: pathOf(route, { ...ids, ...named(param, canaries.plant(kind, place)) }),
        body,
        headers,
      };
    }),
  );
  const inQuery = [...Object.keys(route.query ?? {}), "unknown"].flatMap((parameter, index) =>
    someKinds(index).map((kind) => {
      const place = `${name} ?${parameter}`;
      const query = new URLSearchParams({ [parameter]: canaries.plant(kind, place) }).toString();
      return { place, method, path: `${path}?${query}`, body: /json$/i.test(route.body) ? "{}" : undefined, headers };
    }),
  );
  const inHeaders = Object.keys(headers)
    .filter((header) => header !== "content-type")
    .flatMap((header, index) =>
      someKinds(index).map((kind) => {
        const place = `${name} ${header}:`;
        const value = canaries.plant(kind, place);
        const given = header === "authorization" ? `Bearer ${value}` : value;
        return {
          place,
          method,
          path,
          body: /json$/i.test(route.body) ? "{}" : undefined,
          headers: { ...headers, [header]: given },
        };
      }),
    );
  // Ids of requests are for logs, so they may hold anything but card numbers.
  const place = `${name} x-request-id:`;
  const requestId = { ...headers, "x-request-id": canaries.plant("pan", place) };
  const ofRequest = [{ place, method, path, body: route.body === "json" ? "{}" : undefined, headers: requestId }];
  return [
    ...ofRequest,
    ...inBodies(route, { name, path, headers }, { canaries, ids }),
    ...inPath,
    ...inQuery,
    ...inHeaders,
  ];
}

function inBodies(
  route: Route,
  { name, path, headers }: Pick<Sent, "path" | "headers"> & { name: string },
  { canaries, ids }: Planting,
): Sent[] {
  const { method } = route;
  if (route.body === "none") return [];
  if (route.body === "file") return canaryNames.map((kind) => inFile(kind, { name, path, headers, method }, canaries));
  if (route.body === "bytes") {
    return canaryNames.map((kind) => ({ place: name, method, path, headers, body: canaries.plant(kind, name) }));
  }
  const bases = goodBodies[name] ?? [() => exampleBody(route.requestSchema ?? { type: "object" })];
  return bases.flatMap((base) => {
    const fields: FieldPath[] = [...textFields(base(ids)), ["unknownField"]];
    const textOf = (body: unknown): string =>
      route.body === "form" ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
    const planted = fields.flatMap((field, index) =>
      someKinds(index).map((kind) => {
        const place = `${name} ${field.join(".")}`;
        return { place, method, path, headers, body: textOf(withText(base(ids), field, canaries.plant(kind, place))) };
      }),
    );
    // A closed body without free text is refused with every canary: it is sent without one, too.
    return [...planted, { place: `${name} body`, method, path, headers, body: textOf(base(ids)) }];
  });
}

const boundary = "canary-boundary";

/** A file with canaries in its name and its content, and in the field that goes with it. */
function inFile(
  kind: CanaryName,
  { name, path, headers, method }: Pick<Sent, "path" | "headers" | "method"> & { name: string },
  canaries: Canaries,
): Sent {
  const [file, inside, number] = ["filename", "content", "documentNumber"].map((part) =>
    canaries.plant(kind, `${name} ${part}`),
  );
  const lines = [
    `--${boundary}`,
    'content-disposition: form-data; name="documentNumber"',
    "",
    number,
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${file}.pdf"`,
    "content-type: application/pdf",
    "",
    `%PDF-1.4 ${inside}`,
    `--${boundary}--`,
    "",
  ];
  const type = { ...headers, "content-type": `multipart/form-data; boundary=${boundary}` };
  return { place: name, method, path, headers: type, body: lines.join("\r\n") };
}

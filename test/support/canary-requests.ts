import { randomUUID } from "node:crypto";
import type { Route } from "../../gateway/route";
import { type Canaries, type CanaryName, canaryNames } from "./canaries";
import { goodBodies } from "./canary-bodies";
import { exampleBody, type FieldPath, textFields, withText } from "./request-fields";

/** A request and the field of its canary. */
export interface Sent {
  place: string;
  method: string;
  path: string;
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
}

/** Material for requests: values to plant, and ids of earlier objects. */
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

/** The path of a route with the ids of existing objects; a deleted object must not be one that others need. */
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

/** One request for each kind of canary and each text field of a route. */
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
  // Request ids are made for logs, so they may contain anything but card numbers.
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
    // A closed body without free text is refused with every canary, so it is also sent without one.
    return [...planted, { place: `${name} body`, method, path, headers, body: textOf(base(ids)) }];
  });
}

const boundary = "canary-boundary";

/** A file with canaries in its name, its content and its accompanying field. */
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

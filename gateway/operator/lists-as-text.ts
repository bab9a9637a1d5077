import { exactNumber } from "../../services/shared/kernel/exact-number";
import { columnsOf, type SendCsv, wantsCsv } from "../csv";
import type { Answer, DocumentSchema, OperatorRoute, Route } from "../route";

/** The shape of a list answer: the member with its rows, the members of a row, and whether callers may limit the number of rows. */
interface ListShape {
  member: string;
  columns: readonly string[];
  isLimited: boolean;
}

/** Rows on one page of a list as text. */
const pageRows = "200";

/**
 * Extends each route that answers a list and nothing else to answer it as text, too, on request: all its pages one after the other, made
 * from its own answers, so that both forms agree.
 */
export const withLists = (routes: readonly Route[], sendCsv: SendCsv): readonly Route[] =>
  routes.map((route) => {
    const shape = route.scheme === "operator" ? listOf(route) : undefined;
    return shape === undefined ? route : asText(route as OperatorRoute, shape, sendCsv);
  });

/** Returns undefined for a route that answers no list, already has both forms, or has no last page, like the feed of events. */
function listOf({ method, success, query }: Route): ListShape | undefined {
  if (method !== "GET" || success.also !== undefined) return undefined;
  const { next, ...others } = propertiesOf(success.schema) ?? {};
  const [[member, list] = ["", undefined], ...more] = Object.entries(others);
  const row = propertiesOf(list?.["items"] as DocumentSchema | undefined);
  if (row === undefined || more.length > 0) return undefined;
  const types = next?.["type"];
  if (next !== undefined && !(Array.isArray(types) && types.includes("null"))) return undefined;
  return { member, columns: Object.keys(row), isLimited: query?.["limit"] !== undefined };
}

const propertiesOf = (schema: DocumentSchema | undefined): Record<string, DocumentSchema> | undefined =>
  schema?.["properties"] as Record<string, DocumentSchema> | undefined;

function asText(route: OperatorRoute, shape: ListShape, sendCsv: SendCsv): OperatorRoute {
  const name = route.path.split("/").findLast((segment) => !segment.startsWith("{")) ?? "list";
  const columns = columnsOf(shape.columns);
  return {
    ...route,
    success: {
      ...route.success,
      description: `${route.success.description} \`Accept: text/csv\` gets the whole list as text.`,
      also: { mediaType: "text/csv", schema: { type: "string", description: told } },
    },
    async handle(call) {
      if (!wantsCsv(call.headers)) return route.handle(call);
      const read = async (after: string | undefined) =>
        readPage(await route.handle({ ...call, query: queryOf(call.query, shape, after) }), shape);
      return (await sendCsv(call.operator, name, columns, read)).madeElsewhere;
    },
  };
}

const told =
  "All of the list, in UTF-8 with a byte order mark and the columns' names in its first line. What a spreadsheet would run begins with an apostrophe; what is no text, number or time is JSON.";

/** Returns the caller's query, continued after the previous page. */
function queryOf(query: string, { isLimited }: ListShape, after: string | undefined): string {
  const asked = new URLSearchParams(query);
  if (isLimited) asked.set("limit", pageRows);
  if (after !== undefined) asked.set("after", after);
  return asked.toString();
}

function readPage({ body }: Answer, { member }: ListShape): { items: readonly object[]; next: string | undefined } {
  if (!Buffer.isBuffer(body)) throw new Error("a list has no body to be read");
  const page = JSON.parse(body.toString("utf8"), keepDigits) as Record<string, unknown>;
  const { next } = page;
  const cursor = typeof next === "string" ? next : JSON.stringify(next ?? null);
  return { items: page[member] as object[], next: cursor === "null" ? undefined : cursor };
}

/** Numbers stay as they are written. */
const keepDigits = (_key: string, value: unknown, { source = "" }: { source?: string } = {}): unknown =>
  typeof value === "number" ? exactNumber(source) : value;

import { uncalledTable as table } from "../support/declared-access";
import { makeFindRoute } from "../support/find-route";

const find = makeFindRoute(table);
const segmentsOf = (path: string): string[] => path.split("/").slice(1);
const isParam = (segment: string): boolean => segment.startsWith("{");

/** Words of our own paths: an id that a caller chose may be any of them. */
const words = [...new Set(table.flatMap(({ path }) => segmentsOf(path)).filter((segment) => !isParam(segment)))];

/** Parameters whose values this platform makes, UUIDs and codes of countries: none of them is a word of a path. */
const made: ReadonlySet<string> = new Set([
  "GET /schema/{countryCode}",
  "GET /fx/transactions/{id}",
  "GET /wallets/{walletId}",
  "GET /wallets/{walletId}/balance",
  "GET /wallets/{walletId}/statement",
]);

describe("the paths of the route table", () => {
  it.each(table.filter(({ path }) => path.includes("{")).map(({ method, path }) => [method, path] as const))(
    "%s %s is found whatever the ids in it are called",
    (method, path) => {
      const segments = segmentsOf(path);
      const hidden = segments.flatMap((segment, at) => {
        if (!isParam(segment)) return [];
        return words.filter((word) => {
          const named = segments.map((other, index) => (index === at ? word : isParam(other) ? "some-id" : other));
          return find(method, `/${named.join("/")}`)?.path !== path;
        });
      });

      expect(made.has(`${method} ${path}`) ? [] : hidden).toEqual([]);
    },
  );

  it("asks for a body exactly where a field of it is required", () => {
    const wrong = table.filter(({ body, path, requestSchema }) => {
      // Whatever a payment lacks is answered there, not refused.
      if (path === "/v2/payment/validate") return false;
      if (body !== "json" && body !== "optionalJson") return false;
      // Every variant of a body has a field that must be given.
      const needsField = ["required", "anyOf", "oneOf"].some((keyword) => requestSchema?.[keyword] !== undefined);
      return (body === "json") !== needsField;
    });

    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

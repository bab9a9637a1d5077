import { noContent, type Route } from "./route";
import { makeRouteMap } from "./route-map";

/** The refusal that `work` throws. */
function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const route = (method: Route["method"], path: string): Route => ({
  method,
  path,
  scheme: "none",
  summary: "",
  tag: "",
  body: "none",
  success: { status: 204, description: "" },
  refusals: [],
  handle: () => Promise.resolve(noContent),
});

describe("makeRouteMap", () => {
  const find = makeRouteMap([
    route("GET", "/a"),
    route("POST", "/a"),
    route("GET", "/a/{id}"),
    route("GET", "/a/fixed"),
    route("POST", "/a/checked"),
    route("DELETE", "/a/{id}/b/{part}"),
  ]);

  it.each<[string, string, string, Record<string, string>]>([
    ["GET", "/a", "/a", {}],
    ["HEAD", "/a", "/a", {}],
    ["GET", "/a/x%2Fy", "/a/{id}", { id: "x/y" }],
    ["GET", "/a/fixed", "/a/fixed", {}],
    ["POST", "/a/checked", "/a/checked", {}],
    ["DELETE", "/a/fixed/b/2", "/a/{id}/b/{part}", { id: "fixed", part: "2" }],
    ["DELETE", "/a/checked/b/2", "/a/{id}/b/{part}", { id: "checked", part: "2" }],
  ])("finds %s %s", (method, path, expected, params) => {
    expect(find(method, path)).toMatchObject({ route: { path: expected }, params });
  });

  it.each(["/", "", "/a/", "/a//b/1", "/A", "/a/1/b", "/b", "*", "/__proto__"])("knows no route for '%s'", (path) => {
    expect(refusalOf(() => find("GET", path))).toMatchObject({ reason: "ROUTE_NOT_FOUND" });
  });

  it("names the methods that a path has", () => {
    expect(refusalOf(() => find("DELETE", "/a"))).toMatchObject({
      reason: "METHOD_NOT_ALLOWED",
      details: { allowed: ["GET", "HEAD", "POST"] },
    });
  });

  it("takes a literal path for a parameter where only that has the method", () => {
    for (const method of ["GET", "HEAD"]) {
      expect(find(method, "/a/checked")).toMatchObject({ route: { path: "/a/{id}" }, params: { id: "checked" } });
    }
  });

  it("names the methods of every route that has the path", () => {
    expect(refusalOf(() => find("DELETE", "/a/checked"))).toMatchObject({
      reason: "METHOD_NOT_ALLOWED",
      details: { allowed: ["GET", "HEAD", "POST"] },
    });
  });

  it("refuses malformed percent-encoding", () => {
    expect(refusalOf(() => find("GET", "/a/%ff"))).toMatchObject({ reason: "INVALID_ARGUMENT" });
  });
});

import express, { type Request } from "express";
import { makeRouter, refuseUnrouted } from "./make-router";
import type { Exchange, GatewayResponse, Step } from "./middleware/exchange";
import { normalizeTarget, requireDecodable } from "./request-target";
import { noContent, type Route } from "./route";

const route = (method: Route["method"], path: string, facts: Partial<Pick<Route, "isHot">> = {}): Route => ({
  method,
  path,
  scheme: "none",
  summary: "",
  tag: "",
  body: "none",
  success: { status: 204, description: "" },
  refusals: [],
  handle: () => Promise.resolve(noContent),
  ...facts,
});

type Found = { route: Route; params: Record<string, string> } | { refusal: unknown };

/** Sends a request through the router of a table; returns the route that it finds, or why it finds none. */
function finder(table: readonly Route[]): (method: string, url: string) => Promise<Found> {
  return (method, url) =>
    new Promise((resolve) => {
      const found =
        (one: Route): Step =>
        (request) =>
          resolve({ route: one, params: { ...request.params } });
      const router = express.Router();
      router.use(makeRouter(table, (one) => [found(one)]));
      router.use(refuseUnrouted);
      const request = { method, url } as Request;
      normalizeTarget(request);
      router(request, { locals: {} as Exchange } as GatewayResponse, (refusal: unknown) => resolve({ refusal }));
    });
}

describe("makeRouter", () => {
  const find = finder([
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
    ["GET", "http://somewhere/a", "/a", {}],
    ["GET", "/%61", "/a", {}],
    ["GET", "/a/fi%78ed?b=%ff", "/a/fixed", {}],
    ["GET", "/a/%2561", "/a/{id}", { id: "%61" }],
    ["GET", "/a/..", "/a/{id}", { id: ".." }],
    ["GET", "/a/%2E%2e", "/a/{id}", { id: ".." }],
    ["GET", "/a/x#y", "/a/{id}", { id: "x#y" }],
    ["GET", "/a/x\\y?z=#", "/a/{id}", { id: "x\\y" }],
    ["GET", "/a/:id", "/a/{id}", { id: ":id" }],
    ["GET", "/a/x%2Fy", "/a/{id}", { id: "x/y" }],
    ["GET", "/a/fixed", "/a/fixed", {}],
    ["POST", "/a/checked", "/a/checked", {}],
    ["DELETE", "/a/fixed/b/2", "/a/{id}/b/{part}", { id: "fixed", part: "2" }],
    ["DELETE", "/a/checked/b/2", "/a/{id}/b/{part}", { id: "checked", part: "2" }],
  ])("finds %s %s", async (method, path, expected, params) => {
    expect(await find(method, path)).toMatchObject({ route: { path: expected }, params });
  });

  it.each([
    ...["/", "", "/a/", "/a//b/1", "//a", "/A", "/a/1/b", "/b", "*", "/__proto__", "/a%2Ffixed", "/a%2F"],
    ...["/a/%ff", "http://[::1", "http://somewhere", "a/a", "/a/../a/"],
  ])("knows no route for '%s'", async (path) => {
    expect(await find("GET", path)).toMatchObject({ refusal: { reason: "ROUTE_NOT_FOUND" } });
  });

  it("names the methods that a path has", async () => {
    expect(await find("DELETE", "/a")).toMatchObject({
      refusal: { reason: "METHOD_NOT_ALLOWED", details: { methods: ["GET", "HEAD", "POST"] } },
    });
  });

  it("takes a literal path for a parameter where only that has the method", async () => {
    for (const method of ["GET", "HEAD"]) {
      expect(await find(method, "/a/checked")).toMatchObject({ route: { path: "/a/{id}" }, params: { id: "checked" } });
    }
  });

  it("names the methods of every route that has the path", async () => {
    expect(await find("DELETE", "/a/checked")).toMatchObject({
      refusal: { reason: "METHOD_NOT_ALLOWED", details: { methods: ["GET", "HEAD", "POST"] } },
    });
  });

  it.each(["OPTIONS", "TRACE", "PROPFIND"])("leaves %s to no other than the routes", async (method) => {
    expect(await find(method, "/a/1")).toMatchObject({
      refusal: { reason: "METHOD_NOT_ALLOWED", details: { methods: ["GET", "HEAD"] } },
    });
  });

  it("looks at hot paths first, and a literal path still wins over one", () => {
    const asked: (string | undefined)[] = [];
    const table = [route("GET", "/b/{id}"), route("GET", "/a"), route("GET", "/c/{id}", { isHot: true })];
    const router = makeRouter([...table, route("GET", "/c/fixed"), route("POST", "/c/{id}/d")], () => [refuseUnrouted]);
    for (const { route: row } of router.stack) asked.push(row?.path);

    expect(asked).toEqual(["/c/fixed", "/c/:id", "/a", "/b/:id", "/c/:id/d"]);
  });

  it("does not start with two routes for the same requests", () => {
    const two = [route("GET", "/a/{id}"), route("GET", "/a/{name}")];

    expect(() => makeRouter(two, () => [])).toThrow("two routes answer GET /a/{name}");
  });
});

describe("requireDecodable", () => {
  it.each(["/a/%ff", "/%", "http://somewhere/%zz?b", "/%E0%A4%A"])("refuses '%s'", (target) => {
    expect(() => requireDecodable(target)).toThrow("path must be percent-encoded UTF-8");
  });

  it.each(["/a/%20", "/?%ff", "*"])("takes '%s'", (target) => {
    expect(() => requireDecodable(target)).not.toThrow();
  });
});

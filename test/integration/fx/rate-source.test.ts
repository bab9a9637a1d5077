import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { RateSource } from "../../../services/fx/ports";
import { liveRates } from "../../../services/fx/rate-source";
import type { Running } from "../../../services/shared/lifecycle";
import { makeLogger } from "../../../services/shared/logger";
import { until } from "../../support/platform-client";

const table = (brl: string): string => `{"date":"2026-01-02","usd":{"usd":1,"brl":${brl}}}`;

describe("live rates", () => {
  let answer = { status: 200, body: "" };
  let server: Server;
  let url: string;
  let source: (Running & RateSource) | undefined;
  const open = async (maxAgeMs: number): Promise<Running & RateSource> => {
    source = await liveRates({ url, refreshMs: 20, maxAgeMs }, makeLogger("test", "error"));
    return source;
  };
  const brl = (): string | undefined => source?.current().perUsd("BRL")?.digits.toString();

  beforeAll(async () => {
    server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/usd.json`;
  });
  afterEach(async () => {
    await source?.stop();
    source = undefined;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("follow their source", async () => {
    answer = { status: 200, body: table("5.1") };
    await open(60_000);
    expect(brl()).toBe("51");

    answer = { status: 200, body: table("5.2") };
    expect(
      await until(
        () => Promise.resolve(brl()),
        (digits) => digits === "52",
      ),
    ).toBe("52");
  });

  it("stay while the source fails or sends nonsense, until they are too old", async () => {
    answer = { status: 200, body: table("5.1") };
    const { current } = await open(3_000);
    answer = { status: 500, body: table("9") };
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(brl()).toBe("51");
    answer = { status: 200, body: table("-9") };
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(brl()).toBe("51");

    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(current).toThrow(expect.objectContaining({ reason: "UNAVAILABLE" }));
  });

  it.each([
    ["nothing", { status: 200, body: "" }],
    ["an error", { status: 503, body: table("5") }],
    ["a redirect", { status: 302, body: table("5") }],
    ["more than a mebibyte", { status: 200, body: table("5") + " ".repeat(2_000_000) }],
  ])("do not start on %s", async (_case, first) => {
    answer = first;

    await expect(open(60_000)).rejects.toThrow();
  });
});

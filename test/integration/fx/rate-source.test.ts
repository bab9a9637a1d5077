import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { RateSource } from "../../../services/fx/ports";
import { liveRates } from "../../../services/fx/rate-source";
import type { Running } from "../../../services/shared/lifecycle";
import { makeLogger } from "../../../services/shared/logger";
import { until } from "../../support/platform-client";

const table = (brl: string, date = "2026-01-02"): string => `{"date":"${date}","usd":{"usd":1,"brl":${brl}}}`;

describe("live rates", () => {
  let now = new Date("2026-01-02T12:00:00Z");
  let answer = { status: 200, body: "" };
  let server: Server;
  let url: string;
  let source: (Running & RateSource) | undefined;
  const open = async (maxAgeMs: number): Promise<Running & RateSource> => {
    source = await liveRates({ url, refreshMs: 20, maxAgeMs }, { now: () => now }, makeLogger("test", "error"));
    return source;
  };
  const brl = (): string | undefined => source?.current().table.perUsd("BRL")?.digits.toString();

  beforeAll(async () => {
    server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/usd.json`;
  });
  afterEach(async () => {
    now = new Date("2026-01-02T12:00:00Z");
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

  it("say where and when they were read", async () => {
    answer = { status: 200, body: table("5.1") };
    const { current } = await open(60_000);

    expect(current()).toMatchObject({ source: new URL(url).host, readAt: now });
  });

  it("are not quoted by once their day is over for longer than they may be old, however often they are read", async () => {
    answer = { status: 200, body: table("5.1") };
    const { current } = await open(60_000);
    now = new Date("2026-01-03T00:01:00Z");
    expect(() => current()).not.toThrow();

    now = new Date("2026-01-03T00:01:00.001Z");
    expect(current).toThrow(expect.objectContaining({ reason: "UNAVAILABLE" }));
    answer = { status: 200, body: table("5.2", "2026-01-03") };
    expect(
      await until(
        () =>
          Promise.resolve()
            .then(brl)
            .catch(() => undefined),
        (digits) => digits === "52",
      ),
    ).toBe("52");
  });

  it.each([
    ["a table of long ago", { status: 200, body: table("5", "2025-12-24") }],
    ["a table of next week", { status: 200, body: table("5", "2026-01-09") }],
    ["nothing", { status: 200, body: "" }],
    ["an error", { status: 503, body: table("5") }],
    ["a redirect", { status: 302, body: table("5") }],
    ["more than a mebibyte", { status: 200, body: table("5") + " ".repeat(2_000_000) }],
  ])("do not start on %s", async (_case, first) => {
    answer = first;

    await expect(open(60_000)).rejects.toThrow();
  });
});

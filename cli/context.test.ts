import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Unreachable } from "../sdk/src/main.ts";
import { makeContext } from "./context.ts";

describe("calls of the sandbox", () => {
  let server: Server;
  let calls: string[];
  /** How many calls lose their connection. */
  let lost: number;
  beforeAll(async () => {
    server = createServer(({ method = "", socket }, response) => {
      calls.push(method);
      if (calls.length <= lost) socket.destroy();
      else response.end('{"value":1}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    calls = [];
  });

  const call = (method: "GET" | "POST"): Promise<unknown> => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const context = makeContext({
      env: { CORRIDOR_SANDBOX_URL: url },
      gate: { pass: async () => {} },
    } as never);
    return context.sandbox(method, "/values");
  };

  it("repeat a question whose connection was lost, a few times", async () => {
    lost = 2;
    expect(await call("GET")).toEqual({ value: 1 });
    expect(calls).toEqual(["GET", "GET", "GET"]);

    calls = [];
    lost = 9;
    await expect(call("GET")).rejects.toBeInstanceOf(Unreachable);
    expect(calls).toHaveLength(3);
  });

  it("never repeat a command", async () => {
    lost = 1;
    await expect(call("POST")).rejects.toBeInstanceOf(Unreachable);
    expect(calls).toEqual(["POST"]);
  });
});

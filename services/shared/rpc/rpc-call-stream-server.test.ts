import { setImmediate as turn } from "node:timers/promises";
import { Client, credentials, status } from "@grpc/grpc-js";
import {
  type Call,
  CallStreamServiceService,
  type CarryRequest,
  type CarryResponse,
} from "../../../proto/gen/corridor/common/v1/call_stream";
import { FxServiceService, GetQuoteRequest, GetQuoteResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { until } from "../../../test/support/platform-client";
import { makeLogger } from "../process/logger";
import { makeMetrics } from "../process/metrics";
import { noTracing } from "../process/tracing";
import type { Rpc } from "./rpc";
import { type RpcServer, serveRpc } from "./rpc-server";

type Fx = Rpc<typeof FxServiceService>;

const { carry } = CallStreamServiceService;
const { path: getQuotePath } = FxServiceService.getQuote;
const nothing = { quote: undefined, detail: undefined };
const empty: Buffer = Buffer.alloc(0);

describe("streams of calls", () => {
  const running: { stop(): unknown }[] = [];

  const serve = async (own: Partial<Fx>, limits: { maxInFlight?: number } = {}): Promise<RpcServer> => {
    const getQuote = async () => nothing;
    const getRate = async () => ({ rate: undefined });
    const listQuotes = async () => ({ quotes: [], next: undefined });
    const handlers = { getQuote, createQuote: getQuote, quotePayment: getQuote, getRate, listQuotes, ...own };
    const options = {
      ...limits,
      tls: undefined,
      logger: makeLogger("test", "error"),
      tracing: noTracing,
      metrics: makeMetrics("test"),
    };
    const server = await serveRpc(FxServiceService, handlers, { ...options, address: `127.0.0.1:0` });
    running.push(server);
    return server;
  };

  /** Opens a stream that is written to directly, as an unknown client might. */
  const openRaw = (port: number) => {
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const stream = client.makeBidiStreamRequest(carry.path, carry.requestSerialize, carry.responseDeserialize);
    const answers: CarryResponse["answers"] = [];
    const messages: CarryResponse[] = [];
    stream.on("data", (message: CarryResponse) => {
      messages.push(message);
      answers.push(...message.answers);
    });
    stream.on("error", () => {});
    running.push({
      stop() {
        stream.cancel();
        client.close();
      },
    });
    const send = (message: Partial<CarryRequest>): void =>
      void stream.write({ methods: [], calls: [], cancelled: [], ...message });
    return { send, answers, messages, stream };
  };
  const call = (callId: number, facts: Partial<Call> = {}): Call => ({
    callId,
    method: 1,
    timeoutMs: 5_000,
    requestId: "",
    externalId: "",
    traceparent: "",
    request: Buffer.from(GetQuoteRequest.encode({ tenant: "demo", quoteId: `q${callId}` }).finish()),
    ...facts,
  });
  const methods = [{ number: 1, path: getQuotePath }];

  afterEach(async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
  });

  describe("the replica", () => {
    it("answers each call when it is done, in any order, those of one turn in one message", async () => {
      let finish = (): void => {};
      const gate = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const getQuote: Fx["getQuote"] = async ({ quoteId }) => {
        if (quoteId === "q1") await gate;
        return nothing;
      };
      const { send, answers, messages } = openRaw((await serve({ getQuote })).port);

      send({ methods, calls: [call(1), call(2), call(3)] });
      await until(
        async () => answers.length,
        (count) => count === 2,
      );
      finish();
      await until(
        async () => answers.length,
        (count) => count === 3,
      );

      expect(answers.map(({ callId }) => callId)).toEqual([2, 3, 1]);
      expect(messages).toHaveLength(2);
      expect(GetQuoteResponse.decode(answers[0]?.body ?? empty)).toEqual(nothing);
    });

    it("does not answer a call whose caller no longer waits", async () => {
      const finish: (() => void)[] = [];
      const getQuote = () => new Promise<typeof nothing>((resolve) => finish.push(() => resolve(nothing)));
      const { send, answers } = openRaw((await serve({ getQuote })).port);

      send({ methods, calls: [call(1), call(2)] });
      await until(
        async () => finish.length,
        (count) => count === 2,
      );
      send({ cancelled: [1] });
      send({ calls: [call(3, { method: 9 })] });
      await until(
        async () => answers.length,
        (count) => count === 1,
      );
      for (const each of finish) each();
      await until(
        async () => answers.length,
        (count) => count === 2,
      );

      expect(answers.map(({ callId, status: code }) => [callId, code])).toEqual([
        [3, status.UNIMPLEMENTED],
        [2, status.OK],
      ]);
    });

    it("refuses methods that it does not serve and requests that it cannot read, and goes on", async () => {
      const { send, answers } = openRaw((await serve({})).port);
      const other = { number: 2, path: "/corridor.fx.v1.FxService/Other" };

      send({
        methods: [...methods, other],
        calls: [call(1, { method: 2 }), call(2, { request: Buffer.from("\xff") })],
      });
      send({ calls: [call(3)] });
      await until(
        async () => answers.length,
        (count) => count === 3,
      );

      expect(new Map(answers.map(({ callId, status: code }) => [callId, code]))).toEqual(
        new Map([
          [1, status.UNIMPLEMENTED],
          [2, status.INVALID_ARGUMENT],
          [3, status.OK],
        ]),
      );
    });

    it("keeps one number for each method that it serves, however many a caller sends", async () => {
      const { send, answers } = openRaw((await serve({})).port);

      for (let round = 0; round < 40; round += 1) {
        const numbers = Array.from({ length: 1_000 }, (_, index) => 2 + round * 1_000 + index);
        send({
          methods: numbers.map((number) => ({ number, path: number % 2 === 0 ? getQuotePath : `/x/${number}` })),
        });
      }
      send({ methods: [], calls: [call(1, { method: 2 }), call(2, { method: 3 }), call(3, { method: 40_000 })] });
      await until(
        async () => answers.length,
        (count) => count === 3,
      );

      expect(new Map(answers.map(({ callId, status: code }) => [callId, code]))).toEqual(
        new Map([
          [1, status.UNIMPLEMENTED],
          [2, status.UNIMPLEMENTED],
          [3, status.OK],
        ]),
      );
    });

    it("lets no caller have more calls wait than there is room for", async () => {
      const finish: (() => void)[] = [];
      const getQuote = () => new Promise<typeof nothing>((resolve) => finish.push(() => resolve(nothing)));
      const { send, answers } = openRaw((await serve({ getQuote }, { maxInFlight: 100_000 })).port);

      send({ methods, calls: Array.from({ length: 3_000 }, (_, index) => call(index + 1)) });
      await until(
        async () => answers.length,
        (count) => count === 3_000 - 2_048,
      );
      expect(finish).toHaveLength(2_048);
      expect(new Set(answers.map(({ status: code }) => code))).toEqual(new Set([status.RESOURCE_EXHAUSTED]));
      for (const each of finish) each();
      await until(
        async () => answers.length,
        (count) => count === 3_000,
      );
    });

    it("lets no caller have more streams than there is room for, until it ends one", async () => {
      const { port } = await serve({});
      const open = async () => {
        const { stream } = openRaw(port);
        const result = await new Promise<string>((resolve) => {
          stream.on("metadata", () => resolve("open"));
          stream.on("status", ({ code }) => resolve(status[code] ?? ""));
        });
        return { stream, result };
      };
      const [first, ...others] = await Promise.all(Array.from({ length: 256 }, open));

      expect(new Set([first, ...others].map((one) => one?.result))).toEqual(new Set(["open"]));
      expect((await open()).result).toBe("RESOURCE_EXHAUSTED");
      first?.stream.cancel();
      const result = await until(
        async () => (await open()).result,
        (one) => one === "open",
      );
      expect(result).toBe("open");
    });

    it("does not read from a caller that does not read, and ends its stream when too much waits", async () => {
      let asked = 0;
      const large = "x".repeat(1_000_000);
      const unset = { quote: undefined, midRate: undefined, createdAt: undefined, rateReadAt: undefined };
      const detail = { ...unset, spreadBps: 0, rateDate: "", rateSource: "", isExpired: false, use: "OPEN", legs: [] };
      const getQuote: Fx["getQuote"] = async () => {
        asked += 1;
        return { detail: { ...detail, paymentMethod: large } };
      };
      const { port } = await serve({ getQuote });
      const { send, stream } = openRaw(port);
      let code: number | undefined;
      stream.on("status", (ended) => {
        code = ended.code;
      });
      stream.pause();

      send({ methods, calls: [call(1)] });
      for (let index = 2; index < 2_000; index += 1) send({ calls: [call(index)] });
      const other = openRaw(port);
      other.send({ methods, calls: [call(1)] });
      await until(
        async () => other.answers.length,
        (count) => count === 1,
      );
      expect(asked).toBeLessThan(1_000);

      const greedy = openRaw(port);
      greedy.stream.on("status", (ended) => {
        code = ended.code;
      });
      greedy.send({ methods, calls: Array.from({ length: 64 }, (_, index) => call(index + 1)) });
      while (code === undefined) await turn();
      expect(code).toBe(status.RESOURCE_EXHAUSTED);
      expect(greedy.answers.length).toBeLessThan(64);
    });
  });
});

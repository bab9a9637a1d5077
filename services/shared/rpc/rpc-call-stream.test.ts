import { setImmediate as turn } from "node:timers/promises";
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from "@grpc/grpc-js";
import {
  type Call,
  CallStreamServiceService,
  type CarryRequest,
  type CarryResponse,
} from "../../../proto/gen/corridor/common/v1/call_stream";
import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { until } from "../../../test/support/platform-client";
import { openCallStream } from "./rpc-call-stream";

type ServerStream = ServerDuplexStream<CarryRequest, CarryResponse>;

const { carry } = CallStreamServiceService;
const { path: getQuotePath } = FxServiceService.getQuote;
const empty: Buffer = Buffer.alloc(0);

describe("streams of calls", () => {
  const running: { stop(): unknown }[] = [];

  /** Serves streams as the test determines, and returns the messages that were read. */
  const serveRaw = async (onMessage: (message: CarryRequest, stream: ServerStream) => void) => {
    const server = new Server();
    const messages: CarryRequest[] = [];
    const handle = (stream: ServerStream): void => {
      stream.on("data", (message: CarryRequest) => {
        messages.push(message);
        onMessage(message, stream);
      });
      stream.on("error", () => {});
      stream.sendMetadata(new Metadata());
    };
    server.register(carry.path, handle, carry.responseSerialize, carry.requestDeserialize, "bidi");
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    running.push({ stop: () => server.forceShutdown() });
    return { port, messages };
  };
  const openStream = async (port: number) => {
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    running.push({ stop: () => client.close() });
    const stream = openCallStream(client);
    await until(
      async () => stream.isOpen(),
      (isOpen) => isOpen,
    );
    return stream;
  };
  const outgoing = (facts: object = {}) => ({
    path: getQuotePath,
    request: empty,
    deadlineMs: Date.now() + 20_000,
    requestId: undefined,
    traceparent: undefined,
    ...facts,
  });
  const answer = ({ callId }: Call, body = empty) => ({ callId, status: status.OK, message: "", body });

  afterEach(async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
  });

  describe("the caller", () => {
    it("packs the calls of one turn of the event loop into one message, and names each method once", async () => {
      const { port, messages } = await serveRaw(({ calls }, stream) => {
        stream.write({ answers: calls.map((each) => answer(each, each.request)), isDraining: false });
      });
      const stream = await openStream(port);
      const bodies = Array.from({ length: 50 }, (_, index) => Buffer.from(`request ${index}`));

      const first = await Promise.all(bodies.map((request) => stream.carry(outgoing({ request }))));
      await stream.carry(outgoing());

      expect(first.map(({ code, body }) => [code, body])).toEqual(bodies.map((body) => [status.OK, body]));
      expect(messages).toHaveLength(2);
      expect(new Set(messages[0]?.calls.map(({ callId }) => callId)).size).toBe(50);
      expect(messages.map((message) => message.methods)).toEqual([[{ number: 1, path: getQuotePath }], []]);
    });

    it("cuts what is too much for one message", async () => {
      const { port, messages } = await serveRaw(({ calls }, stream) => {
        stream.write({ answers: calls.map((each) => answer(each)), isDraining: false });
      });
      const stream = await openStream(port);
      const request = Buffer.alloc(64 * 1024);

      const outcomes = await Promise.all(Array.from({ length: 40 }, () => stream.carry(outgoing({ request }))));

      expect(outcomes.every(({ code }) => code === status.OK)).toBe(true);
      expect(messages.length).toBeGreaterThan(5);
    });

    it("takes answers in any order, and none twice", async () => {
      const { port } = await serveRaw(({ calls }, stream) => {
        const answers = calls.toReversed().flatMap((each) => [answer(each, each.request), answer(each)]);
        stream.write({ answers, isDraining: false });
      });
      const stream = await openStream(port);
      const requests = ["a", "b", "c"].map((text) => Buffer.from(text));

      const outcomes = await Promise.all(requests.map((request) => stream.carry(outgoing({ request }))));

      expect(outcomes.map(({ body }) => String(body))).toEqual(["a", "b", "c"]);
    });

    it("says how long it waits, gives up then, and notifies the replica", async () => {
      const { port, messages } = await serveRaw(() => {});
      const stream = await openStream(port);

      const outcome = await stream.carry(outgoing({ deadlineMs: Date.now() + 1_000 }));

      expect(outcome.code).toBe(status.DEADLINE_EXCEEDED);
      const sent = messages[0]?.calls[0];
      expect(sent?.timeoutMs).toBeGreaterThan(500);
      expect(sent?.timeoutMs).toBeLessThanOrEqual(1_000);
      const cancelled = async () => messages.flatMap((message) => message.cancelled);
      expect(await until(cancelled, (ids) => ids.length > 0)).toEqual([sent?.callId]);
    });

    it("sends nothing when no time is left", async () => {
      const { port, messages } = await serveRaw(() => {});
      const stream = await openStream(port);

      expect(await stream.carry(outgoing({ deadlineMs: Date.now() - 1 }))).toMatchObject({
        code: status.DEADLINE_EXCEEDED,
      });
      expect(messages).toEqual([]);
    });

    it("refuses a call at once when as many as may be are under way", async () => {
      const { port } = await serveRaw(() => {});
      const stream = await openStream(port);
      const deadlineMs = Date.now() + 2_000;
      const accepted = Array.from({ length: 1_024 }, () => stream.carry(outgoing({ deadlineMs })));

      expect(stream.isFull()).toBe(true);
      expect(await stream.carry(outgoing())).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
      await Promise.all(accepted);
      expect(stream.isFull()).toBe(false);
    });

    it("leaves the calls of a stream that breaks UNAVAILABLE", async () => {
      const { port } = await serveRaw((_message, stream) =>
        stream.emit("error", { code: status.INTERNAL, details: "x" }),
      );
      const stream = await openStream(port);

      expect(await stream.carry(outgoing())).toMatchObject({ code: status.UNAVAILABLE });
      await stream.closed;
      expect(stream.isOpen()).toBe(false);
    });

    it("takes no new calls on a stream that drains, and ends it with its last answer", async () => {
      let finish = (): void => {};
      const { port } = await serveRaw(({ calls: [first] }, stream) => {
        stream.write({ answers: [], isDraining: true });
        finish = () => first !== undefined && stream.write({ answers: [answer(first)], isDraining: false });
      });
      const stream = await openStream(port);
      const outcome = stream.carry(outgoing());
      while (stream.isOpen()) await turn();
      finish();

      expect(await outcome).toMatchObject({ code: status.OK });
      await stream.closed;
    });
  });
});

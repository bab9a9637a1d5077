import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeHttpSender } from "../../../services/webhook/adapters/http/http-sender";
import { makeResolve } from "../../../services/webhook/adapters/http/resolver";
import { eventually } from "../bus/bus-testbed";
import { type Sink, startSink } from "./sink";

const kibibyte = 1_024;
const limit = 50 * kibibyte;
const sends = 6;
const attempt = { eventId: "e", sequence: 1, attempt: 1, body: "{}", keys: undefined, traceparent: undefined };

describe("answers of receivers", () => {
  let dir: string;
  let sink: Sink;
  let sender: ReturnType<typeof makeHttpSender>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-answers-"));
    sink = await startSink(dir);
    const extraCa = await readFile(sink.ca.caFile, "utf8");
    sender = makeHttpSender({ resolve: makeResolve(), reach: "public and loopback", extraCa });
  });
  afterAll(async () => {
    await sender.stop();
    await sink.stop();
    await rm(dir, { recursive: true });
  });

  /** Sends some times to a path that answers with so many bytes; returns how many connections were used. */
  const connectionsFor = async (path: string, bytes: number): Promise<number> => {
    const ports = new Set<number | undefined>();
    sink.respond(path, (_received, response) => {
      ports.add(response.socket?.remotePort);
      response.writeHead(200, { "content-length": bytes }).end(Buffer.alloc(bytes));
    });
    for (let time = 0; time < sends; time += 1) {
      expect(await sender.send({ ...attempt, url: sink.url(path) })).toMatchObject({ status: 200, failure: undefined });
    }
    return ports.size;
  };

  it("are read to 50 KiB, so that the connection is kept, and given up behind that", async () => {
    // One that ends and one that begins may overlap by a moment.
    expect(await connectionsFor("/short", 0)).toBeLessThanOrEqual(2);
    expect(await connectionsFor("/whole", limit)).toBeLessThanOrEqual(2);
    expect(await connectionsFor("/longer", limit + 1)).toBe(sends);
  });

  it("that have no end are given up after 50 KiB too, and count as what they said first", async () => {
    let written = 0;
    let isClosed = false;
    sink.respond("/endless", (_received, response) => {
      response.writeHead(202);
      const chunk = Buffer.alloc(kibibyte);
      const more = setInterval(() => {
        response.write(chunk);
        written += chunk.length;
      }, 1);
      response.once("close", () => {
        clearInterval(more);
        isClosed = true;
      });
    });

    expect(await sender.send({ ...attempt, url: sink.url("/endless") })).toMatchObject({ status: 202 });

    await eventually(() => isClosed);
    expect(written).toBeGreaterThan(limit);
    expect(written).toBeLessThan(10 * limit);
  });
});

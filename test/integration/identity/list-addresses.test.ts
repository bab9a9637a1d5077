import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Agent, type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { ensureLocalCa } from "../../../local/local-ca";
import { fetchUrl } from "../../../services/identity/adapters/screening/fetch-url";

const text = "name\nAnn Example\n";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("the address of a screening list", () => {
  let dir: string;
  let before: Dispatcher;
  let agent: Agent;
  let url: string;
  let plainPort: number;
  let plainReads = 0;
  let secure: ReturnType<typeof createSecureServer>;
  const plain = createServer((_request, response) => {
    plainReads += 1;
    response.end(text);
  });
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-lists-"));
    const { caFile, certFile, keyFile } = await ensureLocalCa(dir);
    before = getGlobalDispatcher();
    agent = new Agent({ connect: { ca: await readFile(caFile) } });
    setGlobalDispatcher(agent);
    plainPort = await listen(plain);
    secure = createSecureServer(
      { cert: await readFile(certFile), key: await readFile(keyFile) },
      (request, response) => {
        const to = (location: string) => void response.writeHead(302, { location }).end("moved");
        const cut = (headers: Record<string, string | number>) => {
          response.writeHead(200, headers);
          response.write(text.slice(0, 8), () => response.destroy());
        };
        const answers: Record<string, () => void> = {
          "/list": () => void response.end(text),
          "/moved": () => to("/list"),
          "/plain": () => to(`http://127.0.0.1:${plainPort}/list`),
          "/round": () => to("/round"),
          "/cut": () => cut({ "content-length": text.length }),
          "/cut-chunks": () => cut({}),
          "/endless": () => {
            response.removeHeader("transfer-encoding");
            response.writeHead(200, { connection: "close" });
            response.useChunkedEncodingByDefault = false;
            response.end(text.slice(0, 8));
          },
          "/packed": () => void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text)),
          "/part": () => void response.writeHead(206).end(text.slice(0, 8)),
          "/long-length": () => cut({ "content-length": 10_000 }),
          "/long-chunks": () => {
            for (let count = 0; count < 1_000; count += 1) response.write(text);
            response.end();
          },
          "/away": () => void response.writeHead(503).end(),
        };
        answers[request.url ?? ""]?.();
      },
    );
    url = `https://127.0.0.1:${await listen(secure)}`;
  });
  afterAll(async () => {
    setGlobalDispatcher(before);
    await agent.destroy();
    secure.closeAllConnections();
    secure.close();
    plain.close();
    await rm(dir, { recursive: true });
  });

  it.each(["/list", "/moved"])("gives the whole list at %s", async (path) => {
    expect((await fetchUrl(url + path, 1_000)).bytes.toString()).toBe(text);
  });

  it.each([
    ["/plain", "not https"],
    ["/round", "leads on more than"],
    ["/cut", "terminated"],
    ["/cut-chunks", "terminated"],
    ["/endless", "where its text ends"],
    ["/packed", "where its text ends"],
    ["/part", "where its text ends"],
    ["/long-length", "more than 1000 bytes"],
    ["/long-chunks", "more than 1000 bytes"],
    ["/away", "answers 503"],
  ])("gives nothing at %s", async (path, why) => {
    await expect(fetchUrl(url + path, 1_000)).rejects.toThrow(why);
    expect(plainReads).toBe(0);
  });
});

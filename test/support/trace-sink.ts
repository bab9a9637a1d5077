import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** Keeps the text of all traces that it is sent. */
export async function startTraceSink(): Promise<{ url: string; texts: string[]; server: Server }> {
  const texts: string[] = [];
  const take = async (request: IncomingMessage): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    texts.push((request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent).toString("utf8"));
  };
  const server = createServer((request, response) => {
    const end = (): void => {
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    };
    take(request).then(end, end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, texts, server };
}

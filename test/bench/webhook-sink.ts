import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer as createControl } from "node:http";
import { createServer, type Server } from "node:https";
import { announce, floorSettings } from "./floor";
import { quantile } from "./statistics";

/**
 * Receives webhooks over HTTPS and answers 200; below /hangs it never answers. The port that it announces is for the
 * bench: it names the sink's own, and reads and forgets what was counted. The first message of each event is the time of
 * its publication.
 */
const { certFile = "", keyFile = "" } = floorSettings();
let lags: number[] = [];

const sink = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url?.startsWith("/hangs") === true) return;
    const { newStatusMessages } = JSON.parse(Buffer.concat(chunks).toString()) as { newStatusMessages: string[] };
    lags.push(Date.now() - Number(newStatusMessages[0]));
    response.writeHead(200).end();
  });
});

const portOf = (server: Pick<Server, "address">): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

const control = createControl((request, response: ServerResponse) => {
  const facts = { port: portOf(sink), count: lags.length, p99Ms: quantile(lags, 0.99) };
  if (request.method === "DELETE") lags = [];
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(facts));
});
sink.listen(0, "127.0.0.1", () => control.listen(0, "127.0.0.1", () => announce(portOf(control))));

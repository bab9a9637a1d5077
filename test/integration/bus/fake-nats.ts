import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** What a server that is not on this machine would say. */
export interface FakeNats {
  url: string;
  /** Subjects of the requests that it got. */
  asked: string[];
  stop(): Promise<void>;
}

/**
 * Speaks as much of the client protocol of NATS as a request needs. `answer` gives the reply to a subject; without one the
 * request stays without an answer.
 */
export async function startFakeNats(
  version: string,
  answer: (subject: string) => object | undefined,
): Promise<FakeNats> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write(
      `INFO ${JSON.stringify({ server_id: "FAKE", server_name: "fake", version, proto: 1, headers: true, max_payload: 1_048_576, jetstream: true })}\r\n`,
    );
    const inboxes: { pattern: RegExp; sid: string }[] = [];
    const reply = (to: string, content: object): void => {
      const text = JSON.stringify(content);
      const inbox = inboxes.find(({ pattern }) => pattern.test(to));
      if (inbox !== undefined) socket.write(`MSG ${to} ${inbox.sid} ${Buffer.byteLength(text)}\r\n${text}\r\n`);
    };
    let rest = "";
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const [verb = "", ...words] = rest.slice(0, end).split(" ");
        const isMessage = /^H?PUB$/i.test(verb);
        const size = isMessage ? Number.parseInt(words.at(-1) ?? "0", 10) + 2 : 0;
        if (rest.length < end + 2 + size) return;
        rest = rest.slice(end + 2 + size);
        if (verb === "PING") socket.write("PONG\r\n");
        if (verb === "SUB") inboxes.push({ pattern: patternOf(words[0] ?? ""), sid: words.at(-1) ?? "" });
        if (isMessage) {
          const [subject = "", to = ""] = words;
          asked.push(subject);
          const content = answer(subject);
          if (content !== undefined) reply(to, content);
        }
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `nats://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const patternOf = (subject: string): RegExp =>
  new RegExp(`^${subject.replaceAll(/[.$]/g, "\\$&").replaceAll("*", "[^.]+").replaceAll(">", ".+")}$`);

import { createConnection, type Socket } from "node:net";

export interface HttpRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface HttpAnswer {
  status: number;
  body: string;
}

/** One keep-alive connection to loopback with one request at a time. Cheap, because the load shares the machine's cores. */
export interface HttpConnection {
  send(request: string): Promise<HttpAnswer>;
  close(): void;
}

/** The text of a request, ASCII only. */
export function encodeRequest({ method, path, headers, body = "" }: HttpRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === "" ? "" : `content-length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join("")}${length}\r\n${body}`;
}

/** Connects when there is something to send, and again after the server has closed the connection. */
export function openConnection(port: number): HttpConnection {
  let socket: Socket | undefined;
  let received = "";
  let waiting: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | undefined;

  const lose = (error: Error): void => {
    socket = undefined;
    received = "";
    waiting?.reject(error);
  };
  const connect = (): Socket => {
    const opened = createConnection({ port, host: "127.0.0.1", noDelay: true }).setEncoding("latin1");
    opened.on("data", (text: string) => {
      received += text;
      const answer = parseAnswer(received);
      if (answer === undefined) return;
      received = "";
      if (answer.isLast) {
        socket = undefined;
        opened.removeAllListeners().destroy();
      }
      waiting?.resolve(answer);
    });
    opened.once("error", lose);
    opened.once("close", () => {
      if (socket === opened) lose(new Error("the server closed the connection"));
    });
    return opened;
  };
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket ??= connect();
        socket.write(request, "latin1");
      }),
    close: () => void socket?.removeAllListeners().destroy(),
  };
}

/** A complete answer, or undefined while some of it is missing. */
function parseAnswer(text: string): (HttpAnswer & { isLast: boolean }) | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  return {
    status: Number(head.slice(9, 12)),
    body: text.slice(end + 4, end + 4 + length),
    isLast: /\r\nconnection: *close/i.test(head),
  };
}

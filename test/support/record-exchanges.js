// Loaded into a gateway before anything else: it appends each request with its answer to EXCHANGES_FILE, one JSON document per line,
// whichever client has sent it and whichever listener has taken it.
const { openSync, writeSync } = require("node:fs");
const { subscribe } = require("node:diagnostics_channel");

// Open to the end: a test file that ends removes it before its last gateway is stopped.
const file = openSync(process.env.EXCHANGES_FILE, "a");
const isJson = (type) => /^application\/([a-z]+\+)?json\b/.test(String(type ?? ""));

/** The listener that took a connection, by its setting: GATEWAY_PORT, GATEWAY_TLS_PORT, OPERATOR_PORT or CONSOLE_PORT. */
const listenerOf = (port) =>
  ["GATEWAY_PORT", "GATEWAY_TLS_PORT", "OPERATOR_PORT", "CONSOLE_PORT"].find(
    (name) => process.env[name] === String(port),
  );

/** Keeps the body of a request while it is read. */
function keepBody(request) {
  const chunks = [];
  const { push } = request;
  request.push = (chunk, encoding) => {
    if (chunk !== null) chunks.push(Buffer.from(chunk, encoding));
    return push.call(request, chunk, encoding);
  };
  return chunks;
}

/** Keeps the body of an answer while it is written. */
function keepAnswer(response, atEnd) {
  const chunks = [];
  const { write, end } = response;
  const keep = (chunk, encoding) => {
    if (chunk === undefined || chunk === null || typeof chunk === "function") return;
    chunks.push(Buffer.from(chunk, typeof encoding === "string" ? encoding : undefined));
  };
  let isEnding = false;
  response.write = (chunk, encoding, callback) => {
    if (!isEnding) keep(chunk, encoding);
    return write.call(response, chunk, encoding, callback);
  };
  response.end = (chunk, encoding, callback) => {
    keep(chunk, encoding);
    isEnding = true;
    const ended = end.call(response, chunk, encoding, callback);
    atEnd(Buffer.concat(chunks).toString("utf8"));
    return ended;
  };
}

/** Names and values of a head as it went out. */
const headersOf = (head) =>
  Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );

function record(request, response, { listener, path, sent, text }) {
  const headers = headersOf(response._header ?? "");
  const isPlain = headers["content-encoding"] === undefined;
  const exchange = {
    listener,
    method: request.method,
    path,
    sent: isJson(request.headers["content-type"]) ? Buffer.concat(sent).toString("utf8") : undefined,
    status: response.statusCode,
    headers,
    text: isPlain && isJson(headers["content-type"]) ? text : "",
  };
  writeSync(file, `${JSON.stringify(exchange)}\n`);
}

subscribe("http.server.request.start", ({ request, response }) => {
  // Kept now: the router may shorten the address later.
  const { url: path } = request;
  const listener = listenerOf(request.socket.localPort);
  if (listener === undefined) return;
  const sent = keepBody(request);
  keepAnswer(response, (text) => record(request, response, { listener, path, sent, text }));
});

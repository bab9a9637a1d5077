/**
 * A process of its own that holds connections to a gateway open without ever proving who it is: silent ones, half-sent headers and bodies,
 * pipelines, readers that do not read, and probes without an end. Arguments: address to connect from, count, least number of seconds for
 * making them, and the ports (HTTP, HTTPS, operators). Prints how many connections were made and how many were open at most.
 */
const { connect } = require("node:net");

const [localAddress, count, seconds, ...ports] = process.argv.slice(2);
const [http, https, operator] = ports.map(Number);
const head = "host: a\r\n";
const kinds = [
  { port: http, text: "" },
  { port: https, text: "" },
  { port: operator, text: "" },
  { port: http, text: `GET /docs HTTP/1.1\r\n${head}x-slow: `, drip: "z" },
  {
    port: http,
    text: `POST /oauth/token HTTP/1.1\r\n${head}content-type: application/x-www-form-urlencoded\r\ncontent-length: 60000\r\n\r\na`,
    drip: "a",
  },
  { port: http, text: `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\n${head}\r\n`.repeat(8), isDeaf: true },
  { port: http, text: `GET /healthz HTTP/1.1\r\n${head}\r\n`, isFlood: true },
  { port: http, text: `GET /openapi.json HTTP/1.1\r\n${head}\r\n`, isDeaf: true },
];

const open = new Set();
let made = 0;
let most = 0;

function connectOne() {
  const { port, text, drip, isDeaf = false, isFlood = false } = kinds[made % kinds.length];
  made += 1;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.once("connect", () => {
    open.add(socket);
    most = Math.max(most, open.size);
    if (text !== "") socket.write(text);
    if (isDeaf) socket.pause();
    else socket.on("data", () => isFlood && socket.write(text));
  });
  const timer = drip === undefined ? undefined : setInterval(() => socket.write(drip), 1_000);
  socket.once("close", () => {
    clearInterval(timer);
    open.delete(socket);
  });
  socket.on("error", () => undefined);
}

const perTick = Math.ceil(Number(count) / (Number(seconds) * 20));
const pace = setInterval(() => {
  for (let index = 0; index < perTick && made < Number(count); index += 1) connectOne();
  // A reader that does not read sees the end of its connection when it writes.
  for (const socket of open) if (socket.isPaused()) socket.write("\r\n");
}, 50);

/** Time limit: a busy machine opens the connections more slowly. */
const longestSeconds = 90;
const endsAtMs = performance.now() + longestSeconds * 1_000;
const watch = setInterval(() => {
  if (made < Number(count) && performance.now() < endsAtMs) return;
  clearInterval(watch);
  setTimeout(() => {
    clearInterval(pace);
    console.log(JSON.stringify({ made, most }));
    process.exit(0);
  }, 2_000);
}, 100);

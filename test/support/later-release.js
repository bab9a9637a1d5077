// Loaded into a process before anything else: it sends messages like a later release. Every message, and every nested message, has a field
// that this release does not know.
const Module = require("node:module");

const fieldNumber = 15_000;
const bytesOfLength = 2;
const seen = new WeakSet();

function sendMore(codec) {
  if (seen.has(codec)) return;
  seen.add(codec);
  const { encode } = codec;
  codec.encode = (message, writer) =>
    encode(message, writer)
      .uint32(((fieldNumber << 3) | bytesOfLength) >>> 0)
      .string("of a later release");
}

const load = Module.prototype.require;
Module.prototype.require = function requireLater(id) {
  const loaded = load.call(this, id);
  const isOurs = typeof id === "string" && id.includes("proto/gen/");
  for (const one of isOurs ? Object.values(loaded) : []) {
    if (typeof one === "object" && one !== null && "encode" in one && "decode" in one) sendMore(one);
  }
  return loaded;
};

/** Speaks as much of MongoDB's wire protocol as starting a replica set takes: no primary before replSetInitiate. */
const { writeFileSync } = require("node:fs");
const { createServer } = require("node:net");
const { join } = require("node:path");
const { BSON } = require("mongoose").mongo;

const args = process.argv.slice(2);
const flag = (name) => args[args.indexOf(name) + 1];
const port = Number.parseInt(flag("--port"), 10);
let config;

function answer(command) {
  if (command.replSetInitiate) {
    config = command.replSetInitiate;
    writeFileSync(join(flag("--dbpath"), "asked.json"), JSON.stringify({ args, config }));
    return { ok: 1 };
  }
  const me = `127.0.0.1:${port}`;
  const replicaSet = config && { setName: config._id, hosts: [me], me, primary: me, secondary: false };
  const limits = { minWireVersion: 0, maxWireVersion: 25, maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000 };
  return {
    ok: 1,
    version: args.includes("--told") ? flag("--told") : "8.0.13",
    isWritablePrimary: config !== undefined,
    ...replicaSet,
    ...limits,
    maxWriteBatchSize: 100000,
  };
}

/** One OP_QUERY (only the handshake uses it) or OP_MSG in, its reply out. */
function reply(message) {
  const isQuery = message.readInt32LE(12) === 2004;
  const documentAt = isQuery ? message.indexOf(0, 20) + 9 : 21;
  const size = message.readInt32LE(documentAt);
  const body = BSON.serialize(answer(BSON.deserialize(message.subarray(documentAt, documentAt + size))));
  const head = Buffer.alloc(isQuery ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(isQuery ? 1 : 2013, 12);
  if (isQuery) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

createServer((socket) => {
  let pending = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 16 && pending.length >= pending.readInt32LE(0)) {
      const size = pending.readInt32LE(0);
      socket.write(reply(pending.subarray(0, size)));
      pending = pending.subarray(size);
    }
  });
}).listen(port, "127.0.0.1");

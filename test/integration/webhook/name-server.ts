import { createSocket } from "node:dgram";
import { isIP } from "node:net";
import { IPv6, parse } from "ipaddr.js";

/** Addresses of a name; asked anew for each query, as with a time to live of zero. Undefined: the query gets no answer. */
export type Zone = (name: string) => readonly string[] | undefined;

export interface NameServer {
  /** `127.0.0.1:port` */
  address: string;
  /** Names that were asked for, in lower case. */
  asked: string[];
  stop(): Promise<void>;
}

const typeA = 1;
const typeAaaa = 28;
const pointerToQuestion = Buffer.from([0xc0, 12]);

/** A name server on loopback (RFC 1035) that knows A and AAAA. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const addresses = zone(name);
    if (addresses === undefined) return;
    const rows = addresses.flatMap((address) => record(address, type) ?? []);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(rows.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...rows]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A resource record that lives for no time; undefined when the address is of another type than was asked for. */
function record(address: string, type: number): Buffer | undefined {
  if (type !== (isIP(address) === 6 ? typeAaaa : typeA)) return undefined;
  const parsed = parse(address);
  const data = Buffer.from(parsed instanceof IPv6 ? parsed.toByteArray() : parsed.octets);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([pointerToQuestion, fixed, data]);
}

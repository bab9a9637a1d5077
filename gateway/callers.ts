import { isIPv6, type Socket } from "node:net";
import { IPv6 } from "ipaddr.js";
import type { Networks } from "../services/shared/kernel/networks";
import { readProxyHeader } from "./proxy-header";

/** Who is at the other end of connections, also of those that come through a balancer. */
export interface Callers {
  /** Calls back with the caller's address as soon as it is known; ends the connection when there is no valid address. */
  meet(socket: Socket, take: (address: string) => void): void;
  /** The caller's address of a connection that was taken; empty when it is not known. */
  addressOf(socket: Socket): string;
}

/** How long a balancer may take for its header. */
const headerMs = 5_000;

/** An address as it is compared: an IPv4 address in IPv6 form counts as IPv4. */
export const plainAddress = (address = ""): string => address.replace(/^::ffff:(?=\d+\.)/, "");

/** Whose budgets an address has. Who has one address of an IPv6 network of 64 bits has all of them, so they count together. */
export function neighbourhood(address: string): string {
  if (!isIPv6(address)) return address;
  const network = IPv6.parse(address).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(":")}::/64`;
}

const keys = new WeakMap<Socket, string>();

/** Names a connection, whether it is asked about the socket or about the TLS that it carries. */
export function connectionKey(socket: Socket): string {
  const known = keys.get(socket);
  if (known !== undefined) return known;
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const key = `${localAddress}|${localPort}|${remoteAddress}|${remotePort}`;
  // One that is closed already has no address any more.
  if (remoteAddress !== undefined) keys.set(socket, key);
  return key;
}

/**
 * Connections from these networks begin with a PROXY header (version 1 or 2), which names the caller; one without it is ended. All
 * others are the caller's own, and whatever header they send is none.
 */
export function makeCallers(balancers: Networks): Callers {
  const reported = new Map<string, string>();
  return {
    meet(socket, take) {
      const own = plainAddress(socket.remoteAddress);
      if (!balancers.includes(own)) return take(own);
      awaitHeader(socket, (named = own) => {
        const key = connectionKey(socket);
        reported.set(key, named);
        socket.once("close", () => reported.delete(key));
        take(named);
      });
    },
    addressOf(socket) {
      const own = plainAddress(socket.remoteAddress);
      return balancers.includes(own) ? (reported.get(connectionKey(socket)) ?? "") : own;
    },
  };
}

/** Takes the header off the connection, and leaves what follows it to be read by who takes the connection. */
function awaitHeader(socket: Socket, done: (address: string | undefined) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const end = (): void => {
    socket.destroy();
  };
  const timer = setTimeout(end, headerMs);
  const read = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const header = readProxyHeader(bytes);
    if (header === "incomplete") return;
    forget();
    if (header === "wrong") {
      end();
      return;
    }
    socket.pause();
    if (bytes.length > header.size) socket.unshift(bytes.subarray(header.size));
    done(header.address);
    // TLS has taken what was there by then; plain HTTP reads it now.
    setImmediate(() => socket.resume());
  };
  const forget = (): void => {
    clearTimeout(timer);
    socket.off("data", read);
    socket.off("error", end);
    socket.off("close", forget);
  };
  socket.on("data", read);
  socket.on("error", end);
  socket.on("close", forget);
}

import { isIPv6, type Socket } from "node:net";
import { IPv6 } from "ipaddr.js";
import type { Networks } from "../services/shared/kernel/networks";
import { readProxyHeader } from "./proxy-header";

/** Finds out who is at the other end of a connection, also of one that comes through a balancer. */
export interface Callers {
  /**
   * Takes a paused connection, and calls back with the caller's address as soon as it is known, with the connection paused again; ends the
   * connection when there is no valid address.
   */
  meet(socket: Socket, take: (address: string) => void): void;
  /** The caller's address of an accepted connection; empty when it is not known. */
  addressOf(socket: Socket): string;
}

/** Longest time that a balancer may take to send its header. */
const headerMs = 5_000;

/** Returns an address in the form used for comparison: an IPv4 address in IPv6 form counts as IPv4. */
export const plainAddress = (address = ""): string => address.replace(/^::ffff:(?=\d+\.)/, "");

/**
 * Returns the key of the budgets that an address uses. A caller with one address of a 64-bit IPv6 network has all of them, so they count
 * together.
 */
export function neighbourhood(address: string): string {
  if (!isIPv6(address)) return address;
  const network = IPv6.parse(address).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(":")}::/64`;
}

const keys = new WeakMap<Socket, string>();

/** Returns one key for a connection, given either its socket or the TLS socket that it carries. */
export function connectionKey(socket: Socket): string {
  const known = keys.get(socket);
  if (known !== undefined) return known;
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const key = `${localAddress}|${localPort}|${remoteAddress}|${remotePort}`;
  // A connection that is already closed no longer has an address.
  if (remoteAddress !== undefined) keys.set(socket, key);
  return key;
}

/**
 * Connections from these networks begin with a PROXY header (version 1 or 2), which names the caller; one without it is ended. All other
 * connections are the caller's own, and a PROXY header on them is not honoured.
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

/** Takes the header off the connection, and leaves what follows it to the server that handles the connection. */
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
  socket.resume();
}

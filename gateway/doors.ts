import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { monotonicMs } from "../services/shared/kernel/clock";
import type { Running } from "../services/shared/process/lifecycle";
import { type Callers, connectionKey, neighbourhood } from "./callers";
import { makeEntryQueue } from "./entry-queue";
import { makePace, type Pace } from "./pace";

/**
 * Keeps strangers from exhausting the gateway. A connection counts against its address until a credential on it was good, and from then on
 * against the credential's holder. When there is no more room, the oldest connection of the same address or holder without a request in
 * progress is ended: silent callers, slow senders and those who do not read make room for the others.
 */
export interface Doors extends Running {
  /** Decides whether to accept each connection of a server, before any work for it, its handshake included. */
  guard(server: Server, callers: Pick<Callers, "meet">): void;
  /** Decides whether to accept a request; false: its connection has been ended, or ends with the previous answer. */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Notes the caller that has authenticated on the connection of this request. */
  known(request: IncomingMessage, holder: string): void;
  /** How long the connection of this answer may stay silent after it, if that is less than for known callers. */
  silenceSeconds(response: ServerResponse): number | undefined;
  /** Counts an answer until it has been sent; when too many bytes wait, the connections that have waited longest are cut off. */
  hold(response: ServerResponse, bytes: number): void;
  /** Number of open connections of strangers. */
  strangers(): number;
}

export interface DoorLimits {
  /** Most connections of strangers, from one address and in total. */
  perAddress: number;
  inAll: number;
  /** Most connections of known callers in total: beyond it, the holder with the most makes room. */
  known: number;
  /**
   * New connections of strangers from one address: so many at once, and a sixteenth of it each second. An eighth of it is served at once,
   * and an eighth each second; the others wait.
   */
  burst: number;
  /** True for a proxy, which terminates the connections of many callers: its own connections count against no address. */
  isProxy(address: string): boolean;
}

/** Most connections of one holder of credentials. */
const mostPerHolder = 2_048;
/** Most unanswered requests of one connection: a second one means pipelining, which hardly any client does. */
const mostPipelined = 8;
const mostRequests = 1_000;
/** How long a stranger may stay silent, before its request and after its answer. */
const silenceMs = 5_000;
/** How long a reader may take for one piece of an answer. */
const pieceMs = { stranger: 5_000, known: 15_000 };
const sweepMs = 1_000;
/** Most bytes of answers that wait for their readers, per holder or address and in total. */
const mostUnread = { perHolder: 16 * 1024 * 1024, inAll: 48 * 1024 * 1024 };

interface Visitor {
  readonly key: string;
  readonly socket: Socket;
  /** An address, or the authenticated holder. */
  holder: string;
  isKnown: boolean;
  readonly running: Set<ServerResponse>;
  requests: number;
  /** True once an answer was sent that ends the connection. */
  isEnding: boolean;
  unreadBytes: number;
  quietSinceMs: number;
  stalledSinceMs: number | undefined;
}

/** True while a fully received request is in progress: the one state in which neither end waits for the other. */
const isWorking = ({ running }: Visitor): boolean =>
  [...running].some((response) => response.req.complete && !response.headersSent);

/** True once further requests on a connection are no longer answered. */
const isLeaving = ({ running, isEnding }: Visitor): boolean =>
  isEnding || [...running].some(({ shouldKeepAlive }) => !shouldKeepAlive);

export function startDoors(limits: DoorLimits): Doors {
  const pace = makePace({ burst: limits.burst, perSecond: limits.burst / 16 });
  const entries = makeEntryQueue({ burst: limits.burst / 8, perSecond: limits.burst / 8 });
  const rooms = makeRooms(limits, pace);
  const { visitors, groups } = rooms;
  const timer = setInterval(() => {
    const now = monotonicMs();
    for (const visitor of visitors.values()) if (isOverdue(visitor, now)) rooms.end(visitor);
  }, sweepMs);
  timer.unref();
  return {
    guard(server, callers) {
      guardConnections(server, callers, (socket, address, serve) => {
        const visitor = rooms.enter(socket, address);
        if (visitor === undefined) return void socket.resetAndDestroy();
        if (visitor.isKnown) return serve();
        // We keep it waiting here, not it us.
        visitor.quietSinceMs = Number.POSITIVE_INFINITY;
        entries.enter(visitor.holder, socket, () => {
          visitor.quietSinceMs = monotonicMs();
          serve();
        });
      });
    },
    admit: (request, response) => {
      const visitor = visitors.get(connectionKey(request.socket));
      if (visitor === undefined || visitor.running.size >= mostPipelined) {
        request.socket.destroy();
        return false;
      }
      // It may be the rest of a request that did not end where we assumed.
      if (isLeaving(visitor)) return false;
      follow(visitor, response);
      return true;
    },
    known(request, holder) {
      const visitor = visitors.get(connectionKey(request.socket));
      if (visitor === undefined || visitor.isKnown) return;
      pace.refill(visitor.holder);
      entries.refill(visitor.holder);
      rooms.settle(visitor, holderName(holder));
    },
    silenceSeconds(response) {
      const visitor = visitors.get(connectionKey(response.req.socket));
      return visitor === undefined || visitor.isKnown ? undefined : silenceMs / 1_000;
    },
    hold(response, bytes) {
      const visitor = visitors.get(connectionKey(response.req.socket));
      if (visitor === undefined) return;
      groups.count(visitor, bytes);
      response.once("close", () => groups.count(visitor, -bytes));
      let isCut = true;
      while (isCut && groups.unreadOf(visitor) > mostUnread.perHolder) isCut = rooms.cutOff(groups.of(visitor.holder));
      while (isCut && groups.unread() > mostUnread.inAll) isCut = rooms.cutOff(groups.largest(({ bytes }) => bytes));
    },
    strangers: () => rooms.strangers.size,
    stop() {
      clearInterval(timer);
      return entries.stop();
    },
  };
}

/** Tracks the open connections, and chooses the ones to end when there is no more room. */
function makeRooms(limits: DoorLimits, pace: Pace) {
  const visitors = new Map<string, Visitor>();
  const strangers = new Set<Visitor>();
  const settled = new Set<Visitor>();
  const groups = makeGroups();
  const forget = (visitor: Visitor): void => {
    if (visitors.get(visitor.key) === visitor) visitors.delete(visitor.key);
    strangers.delete(visitor);
    settled.delete(visitor);
    groups.leave(visitor);
  };
  const end = (visitor: Visitor): void => {
    forget(visitor);
    visitor.socket.destroy();
  };
  /** Ends the oldest visitor that satisfies the condition; false when there is none. */
  const endOldest = (among: Iterable<Visitor>, isOne: (visitor: Visitor) => boolean): boolean => {
    for (const visitor of among) {
      if (!isOne(visitor)) continue;
      end(visitor);
      return true;
    }
    return false;
  };
  const makeRoom = (among: Iterable<Visitor>): boolean => endOldest(among, (visitor) => !isWorking(visitor));
  const hasRoom = (address: string): boolean => {
    if (strangers.size >= limits.inAll && !makeRoom(strangers)) return false;
    const group = groups.of(address);
    return group.size < limits.perAddress || makeRoom(group);
  };
  return {
    visitors,
    strangers,
    groups,
    end,
    /** Takes a place for a connection; undefined when there is none. */
    enter(socket: Socket, address: string): Visitor | undefined {
      const isProxy = limits.isProxy(address);
      const name = neighbourhood(address);
      if (!isProxy && !(pace.take(name) && hasRoom(name))) return undefined;
      const visitor = newVisitor(socket, isProxy ? `proxy ${address}` : name, isProxy);
      visitors.set(visitor.key, visitor);
      if (!isProxy) strangers.add(visitor);
      groups.join(visitor);
      socket.once("close", () => forget(visitor));
      return visitor;
    },
    /** From now on the connection counts against the authenticated holder. */
    settle(visitor: Visitor, holder: string): void {
      strangers.delete(visitor);
      groups.leave(visitor);
      Object.assign(visitor, { holder, isKnown: true });
      const group = groups.of(holder);
      if (group.size >= mostPerHolder) makeRoom(group);
      if (settled.size >= limits.known) makeRoom(groups.largest(({ visitors }) => visitors.size, isHolder));
      settled.add(visitor);
      groups.join(visitor);
    },
    /** Ends the oldest visitor that does not read what was sent to it; false when there is none. */
    cutOff: (among: Iterable<Visitor>): boolean => endOldest(among, ({ unreadBytes }) => unreadBytes > 0),
  };
}

const holderName = (holder: string): string => `holder ${holder}`;
const isHolder = (name: string): boolean => name.startsWith(holderName(""));

const newVisitor = (socket: Socket, holder: string, isKnown: boolean): Visitor => ({
  key: connectionKey(socket),
  socket,
  holder,
  isKnown,
  running: new Set(),
  requests: 0,
  isEnding: false,
  unreadBytes: 0,
  quietSinceMs: monotonicMs(),
  stalledSinceMs: undefined,
});

/** Checks a connection before the server sees it, so that one without room costs no handshake. */
function guardConnections(
  server: Server,
  callers: Pick<Callers, "meet">,
  enter: (socket: Socket, address: string, serve: () => void) => void,
): void {
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) =>
    callers.meet(socket, (address) => {
      enter(socket, address, () => {
        for (const listener of listeners) listener.call(server, socket);
        // TLS reads by itself, and takes first what a balancer's header came with.
        if (socket.isPaused()) setImmediate(() => socket.resume());
      });
    }),
  );
}

/** Tracks one request of a visitor, from its headers to the last byte of its answer. */
function follow(visitor: Visitor, response: ServerResponse): void {
  visitor.running.add(response);
  visitor.requests += 1;
  if (visitor.requests >= mostRequests) response.shouldKeepAlive = false;
  response.on("drain", () => {
    visitor.stalledSinceMs = undefined;
  });
  response.once("close", () => {
    visitor.running.delete(response);
    visitor.isEnding ||= !response.shouldKeepAlive;
    visitor.stalledSinceMs = undefined;
    visitor.quietSinceMs = monotonicMs();
  });
}

/** True when the other end has kept us waiting for too long. */
function isOverdue(visitor: Visitor, now: number): boolean {
  const { running, isKnown } = visitor;
  // The server's own time-outs deal with slow requests, and with idle connections of known callers.
  if (running.size === 0) return !isKnown && now - visitor.quietSinceMs > silenceMs;
  // A long answer never drains if its reader takes each piece at once, and then delays no other connection.
  const isWaiting = [...running].some(({ headersSent, writableLength }) => headersSent && writableLength > 0);
  if (!isWaiting) {
    visitor.stalledSinceMs = undefined;
    return false;
  }
  visitor.stalledSinceMs ??= now;
  return now - visitor.stalledSinceMs > (isKnown ? pieceMs.known : pieceMs.stranger);
}

interface Group {
  /** Oldest first. */
  visitors: Set<Visitor>;
  /** Bytes that wait for these visitors to read. */
  bytes: number;
}

/** The visitors, grouped by the address or holder that they count against. */
function makeGroups() {
  const groups = new Map<string, Group>();
  const none: ReadonlySet<Visitor> = new Set();
  let allBytes = 0;
  const add = (holder: string, bytes: number): void => {
    allBytes += bytes;
    const group = groups.get(holder);
    if (group !== undefined) group.bytes += bytes;
  };
  return {
    of: (holder: string): ReadonlySet<Visitor> => groups.get(holder)?.visitors ?? none,
    join(visitor: Visitor): void {
      const group = groups.get(visitor.holder) ?? { visitors: new Set(), bytes: 0 };
      groups.set(visitor.holder, group);
      group.visitors.add(visitor);
      add(visitor.holder, visitor.unreadBytes);
    },
    leave(visitor: Visitor): void {
      const group = groups.get(visitor.holder);
      if (group?.visitors.delete(visitor) !== true) return;
      add(visitor.holder, -visitor.unreadBytes);
      if (group.visitors.size === 0) groups.delete(visitor.holder);
    },
    count(visitor: Visitor, bytes: number): void {
      visitor.unreadBytes += bytes;
      if (groups.get(visitor.holder)?.visitors.has(visitor) === true) add(visitor.holder, bytes);
    },
    unreadOf: ({ holder }: Visitor): number => groups.get(holder)?.bytes ?? 0,
    unread: (): number => allBytes,
    largest(sizeOf: (group: Group) => number, isMeant: (name: string) => boolean = () => true): Iterable<Visitor> {
      let most: Group | undefined;
      for (const [name, group] of groups) {
        if (isMeant(name) && (most === undefined || sizeOf(group) > sizeOf(most))) most = group;
      }
      return most?.visitors ?? none;
    },
  };
}

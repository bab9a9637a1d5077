import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { monotonicMs } from "../services/shared/kernel/clock";
import type { Running } from "../services/shared/process/lifecycle";
import { type Callers, connectionKey, neighbourhood } from "./callers";
import { makePace, type Pace } from "./pace";

/**
 * Keeps strangers from using the gateway up. A connection counts against its address until a credential on it was good,
 * and from then on against the holder of that. Where there is no more room, the oldest one of the same address or holder
 * that is not being worked for goes: who says nothing, sends slowly or does not read makes room for who does.
 */
export interface Doors extends Running {
  /** Decides over every connection of a server before anything is done for it, its handshake included. */
  guard(server: Server, callers: Pick<Callers, "meet">): void;
  /** Decides over a request; false: its connection has been ended, or ends with the answer before. */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Says who has proven itself on the connection of this request. */
  known(request: IncomingMessage, holder: string): void;
  /** How long the connection of this answer may say nothing after it, where that is less than for those who are known. */
  silenceSeconds(response: ServerResponse): number | undefined;
  /** Counts an answer until it has left; where too much waits, those that wait longest are cut off. */
  hold(response: ServerResponse, bytes: number): void;
  /** Connections of strangers that are open. */
  strangers(): number;
}

export interface DoorLimits {
  /** Connections of strangers from one address, and in all. */
  perAddress: number;
  inAll: number;
  /** Connections of all who are known: beyond them, who has most makes room. */
  known: number;
  /** New connections of strangers from one address: so many at once, and a sixteenth of it each second. */
  burst: number;
  /** True for a proxy, which ends the connections of many callers: its own count against no address. */
  isProxy(address: string): boolean;
}

/** Connections of one holder of credentials. */
const mostPerHolder = 2_048;
/** Requests of one connection without an answer: a second one is pipelining, which hardly any client does. */
const mostPipelined = 8;
const mostRequests = 1_000;
/** How long a stranger may say nothing, before its request and after its answer. */
const silenceMs = 5_000;
/** How long a reader may take for one piece of an answer. */
const pieceMs = { stranger: 5_000, known: 15_000 };
const sweepMs = 1_000;
/** Bytes of answers that wait for their readers, of one holder or address and in all. */
const mostUnread = { perHolder: 16 * 1024 * 1024, inAll: 48 * 1024 * 1024 };

interface Visitor {
  readonly key: string;
  readonly socket: Socket;
  /** An address, or who has proven itself. */
  holder: string;
  isKnown: boolean;
  readonly running: Set<ServerResponse>;
  requests: number;
  /** True once an answer was given that ends the connection. */
  isEnding: boolean;
  unreadBytes: number;
  quietSinceMs: number;
  stalledSinceMs: number | undefined;
}

/** True while a request that has come in whole is worked on: the one state in which neither end waits for the other. */
const isWorking = ({ running }: Visitor): boolean =>
  [...running].some((response) => response.req.complete && !response.headersSent);

/** True once what comes on a connection is no longer answered. */
const isLeaving = ({ running, isEnding }: Visitor): boolean =>
  isEnding || [...running].some(({ shouldKeepAlive }) => !shouldKeepAlive);

export function startDoors(limits: DoorLimits): Doors {
  const pace = makePace({ burst: limits.burst, perSecond: limits.burst / 16 });
  const rooms = makeRooms(limits, pace);
  const { visitors, groups } = rooms;
  const timer = setInterval(() => {
    const now = monotonicMs();
    for (const visitor of visitors.values()) if (isOverdue(visitor, now)) rooms.end(visitor);
  }, sweepMs);
  timer.unref();
  return {
    guard: (server, callers) => guardConnections(server, callers, rooms.enter),
    admit: (request, response) => {
      const visitor = visitors.get(connectionKey(request.socket));
      if (visitor === undefined || visitor.running.size >= mostPipelined) {
        request.socket.destroy();
        return false;
      }
      // It may be the rest of a request whose end is not where we took it to be.
      if (isLeaving(visitor)) return false;
      follow(visitor, response);
      return true;
    },
    known(request, holder) {
      const visitor = visitors.get(connectionKey(request.socket));
      if (visitor === undefined || visitor.isKnown) return;
      pace.refill(visitor.holder);
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
      return Promise.resolve();
    },
  };
}

/** Who is here, and who has to go where there is no more room. */
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
  /** Ends the oldest one of which it is true; false when there is none. */
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
    enter(socket: Socket, address: string): boolean {
      const isProxy = limits.isProxy(address);
      const name = neighbourhood(address);
      if (!isProxy && !(pace.take(name) && hasRoom(name))) return false;
      const visitor = newVisitor(socket, isProxy ? `proxy ${address}` : name, isProxy);
      visitors.set(visitor.key, visitor);
      if (!isProxy) strangers.add(visitor);
      groups.join(visitor);
      socket.once("close", () => forget(visitor));
      return true;
    },
    /** From now on it counts against who has proven itself. */
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
    /** Ends the oldest one that does not read what was sent to it; false when there is none. */
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

/** Asks about a connection before the server sees it, so that one without room costs no handshake. */
function guardConnections(
  server: Server,
  callers: Pick<Callers, "meet">,
  enter: (socket: Socket, address: string) => boolean,
): void {
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) =>
    callers.meet(socket, (address) => {
      if (!enter(socket, address)) return void socket.resetAndDestroy();
      for (const listener of listeners) listener.call(server, socket);
    }),
  );
}

/** Keeps account of one request of a visitor, from its headers to the last byte of its answer. */
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
  // Slow requests are for the server's own time-outs, idle connections of those who are known too.
  if (running.size === 0) return !isKnown && now - visitor.quietSinceMs > silenceMs;
  // A long answer whose reader takes each piece at once never drains, and keeps no one waiting.
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
  /** Bytes that wait for them to read. */
  bytes: number;
}

/** The visitors by whom they count against. */
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

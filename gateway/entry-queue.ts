import type { Socket } from "node:net";
import type { Running } from "../services/shared/process/lifecycle";
import { makePace, type PaceOptions } from "./pace";

/**
 * Serves the connections of strangers at a pace, for each name separately. A rush of them, each of which costs a parser or a handshake,
 * would otherwise be served ahead of what known callers send meanwhile.
 */
export interface EntryQueue extends Running {
  /** Calls `serve` for a paused connection at once, or when it is its turn; never for one that has ended. It stays paused meanwhile. */
  enter(name: string, socket: Socket, serve: () => void): void;
  /** Lets one more connection of a name in: one of its connections turned out to be no stranger's. */
  refill(name: string): void;
}

interface Waiting {
  socket: Socket;
  serve(): void;
}

const lookMs = 50;

export function makeEntryQueue(options: PaceOptions): EntryQueue {
  const pace = makePace(options);
  const queues = new Map<string, Waiting[]>();
  let timer: NodeJS.Timeout | undefined;
  const serveNext = (name: string, queue: Waiting[]): void => {
    for (let next = queue[0]; next !== undefined && (next.socket.destroyed || pace.take(name)); next = queue[0]) {
      queue.shift();
      if (!next.socket.destroyed) next.serve();
    }
    if (queue.length === 0) queues.delete(name);
  };
  const look = (): void => {
    for (const [name, queue] of queues) serveNext(name, queue);
    if (queues.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    enter(name, socket, serve) {
      const queue = queues.get(name);
      if (queue === undefined && pace.take(name)) return serve();
      if (queue === undefined) queues.set(name, [{ socket, serve }]);
      else queue.push({ socket, serve });
      timer ??= setInterval(look, lookMs).unref();
    },
    refill(name) {
      pace.refill(name);
      serveNext(name, queues.get(name) ?? []);
    },
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}

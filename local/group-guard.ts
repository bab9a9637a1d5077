import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/** Ensures that process groups end with this process, even after SIGKILL, which no handler can catch. */
interface GroupGuard {
  add(pid: number): void;
  remove(pid: number): void;
}

/** Reads groups line by line. Its input closes when this process ends; then it kills the remaining groups. */
const script = `groups=""
while read -r change pid; do
  rest=""
  for group in $groups; do [ "$group" = "$pid" ] || rest="$rest $group"; done
  groups="$rest"
  [ "$change" = add ] && groups="$groups $pid"
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done`;

let guard: ChildProcess | undefined;

/** The guard of this process: a separate process in its own session, started with the first group. */
export function groupGuard(): GroupGuard {
  const send = (change: string, pid: number): void => {
    guard ??= startGuard();
    guard.stdin?.write(`${change} ${pid}\n`);
  };
  return { add: (pid) => send("add", pid), remove: (pid) => send("remove", pid) };
}

function startGuard(): ChildProcess {
  const started = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true, env: {} });
  started.once("error", () => undefined);
  started.stdin?.once("error", () => undefined);
  started.unref();
  if (started.stdin instanceof Socket) started.stdin.unref();
  return started;
}

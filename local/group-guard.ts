import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/** Keeps process groups from outliving this process, however it ends: also by SIGKILL, which no handler hears. */
interface GroupGuard {
  add(pid: number): void;
  remove(pid: number): void;
}

/** Learns of groups line by line. Its input ends when this process does; then it kills those that are left. */
const script = `groups=""
while read -r change pid; do
  rest=""
  for group in $groups; do [ "$group" = "$pid" ] || rest="$rest $group"; done
  groups="$rest"
  [ "$change" = add ] && groups="$groups $pid"
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done`;

let guard: ChildProcess | undefined;

/** The guard of this process; it is a process itself, in a session of its own, and starts with the first group. */
export function groupGuard(): GroupGuard {
  const tell = (change: string, pid: number): void => {
    guard ??= startGuard();
    guard.stdin?.write(`${change} ${pid}\n`);
  };
  return { add: (pid) => tell("add", pid), remove: (pid) => tell("remove", pid) };
}

function startGuard(): ChildProcess {
  const started = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true, env: {} });
  started.once("error", () => undefined);
  started.stdin?.once("error", () => undefined);
  started.unref();
  if (started.stdin instanceof Socket) started.stdin.unref();
  return started;
}

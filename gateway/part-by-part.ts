import { systemClock } from "../services/shared/kernel/clock";
import { currentCall, runInCall } from "../services/shared/process/call-context";

/** Longest wait for one part of a body; the whole may take as long as its reader needs. */
const partWithinMs = 10_000;

/** The body is sent after the call that asked for it, at the speed of its reader: each part has its own deadline. */
export function partByPart<Name, Part>(read: (name: Name) => Promise<Part>): (name: Name) => Promise<Part> {
  const context = currentCall() ?? { requestId: "" };
  return (name) => {
    const deadlineMs = systemClock.now().getTime() + partWithinMs;
    return runInCall({ ...context, deadlineMs }, () => read(name));
  };
}

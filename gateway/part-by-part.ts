import { systemClock } from "../services/shared/kernel/clock";
import { currentCall, runInCall } from "../services/shared/process/call-context";

/** Longest wait for one part of a body; the whole may take as long as its reader does. */
const partWithinMs = 10_000;

/** The body is sent outside of the call that asked for it, and as slowly as it is read: each part has a time of its own. */
export function partByPart<Name, Part>(read: (name: Name) => Promise<Part>): (name: Name) => Promise<Part> {
  const context = currentCall() ?? { requestId: "" };
  return (name) => {
    const deadlineMs = systemClock.now().getTime() + partWithinMs;
    return runInCall({ ...context, deadlineMs }, () => read(name));
  };
}

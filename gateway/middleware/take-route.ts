import { readCallerText } from "../../services/shared/kernel/caller-text";
import { invalid } from "../../services/shared/kernel/errors";
import { currentCall } from "../../services/shared/process/call-context";
import type { Tracing } from "../../services/shared/process/tracing";
import type { AdmissionControl } from "../admission-control";
import type { PeerReader } from "../peer";
import type { Route } from "../route";
import { routeName, type Step } from "./exchange";

/** Accepts the request for a route, unless a value in its path is not a text that a caller may send. */
export const takeRoute = (route: Route): Step => {
  const hasParams = route.path.includes("{");
  return (request, { locals }, next) => {
    locals.params = hasParams ? parseParams(request.params) : {};
    locals.route = route;
    next();
  };
};

const parseParams = (sent: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, parseParam(name, value)]));

function parseParam(name: string, sent: string): string {
  const read = readCallerText(sent);
  if ("problem" in read) throw invalid([{ field: name, message: read.problem }]);
  return read.value;
}

/** Turns the request away while this process is behind, before any work is done for it. */
export const requireCalm =
  (gate: Pick<AdmissionControl, "requireCalm">): Step =>
  (_request, _response, next) => {
    gate.requireCalm();
    next();
  };

/** Runs everything after it in one span, which ends when the request is answered. */
export const openSpan = (route: Route, tracing: Tracing): Step => {
  const name = routeName(route);
  if (!tracing.isOn) {
    return (_request, { locals }, next) => {
      locals.traceparent = currentCall()?.traceparent;
      next();
    };
  }
  return (_request, { locals }, next) => {
    const work = (): Promise<void> =>
      new Promise((resolve, reject) => {
        locals.traceparent = currentCall()?.traceparent;
        locals.endSpan = (failure) => (failure === undefined ? resolve() : reject(failure));
        next();
      });
    // The failure concerns the answer, which has already been sent.
    tracing.span(name, { kind: "server" }, work).catch(() => undefined);
  };
};

/** Reads the peer that the request comes from. */
export const readPeer =
  (peerOf: PeerReader): Step =>
  (request, { locals }, next) => {
    locals.peer = peerOf(request);
    next();
  };

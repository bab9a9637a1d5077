import { demand } from "./errors";
import { type Doc, field, isArray, isDoc } from "./values/bson";
import { toSafeInteger } from "./values/numbers";

/** Faults on order, as a mongod with test commands enabled has them. Off unless the server was started with them. */

export interface Fault {
  closeConnection: boolean;
  errorCode: number | undefined;
  errorLabels: string[] | undefined;
  writeConcernError: Doc | undefined;
  blockMs: number;
}

/** The peer gets no reply and loses its connection, as a failpoint ordered. */
export class ConnectionFault extends Error {}

interface FailPoint {
  skip: number;
  times: number;
  data: Doc;
}

const knownData =
  `failCommands errorCode closeConnection blockConnection blockTimeMS errorLabels writeConcernError appName
  failInternalCommands failBeforeCommitExceptionCode`.split(/\s+/);

export type FailPoints = ReturnType<typeof makeFailPoints>;

export function makeFailPoints() {
  const active = new Map<string, FailPoint>();

  /** The failpoint, if it fires at this meeting. */
  function meet(name: string): FailPoint | undefined {
    const point = active.get(name);
    if (point === undefined) return undefined;
    if (point.skip > 0) {
      point.skip -= 1;
      return undefined;
    }
    point.times -= 1;
    if (point.times <= 0) active.delete(name);
    return point;
  }

  return {
    configure(command: Doc): void {
      const name = command["configureFailPoint"];
      const isKnown = name === "failCommand" || name === "onPrimaryTransactionalWrite";
      demand(isKnown, 249, `failpoint not found: ${String(name)}`);
      if (command["mode"] === "off") active.delete(name);
      else active.set(name, parse(command));
    },
    /** The fault that this command meets, if any. */
    onCommand(commandName: string, appName: string | undefined): Fault | undefined {
      const { failCommands, appName: wanted } = active.get("failCommand")?.data ?? {};
      if (!isArray(failCommands) || !failCommands.includes(commandName)) return undefined;
      const point = wanted === undefined || wanted === appName ? meet("failCommand") : undefined;
      return point === undefined ? undefined : faultOf(point.data);
    },
    /** The fault of a write that a driver may retry: before it is committed, or after with the reply lost. */
    onRetryableWrite(): { codeBeforeCommit: number | undefined; closeConnection: boolean } | undefined {
      const data = meet("onPrimaryTransactionalWrite")?.data;
      if (data === undefined) return undefined;
      const codeBeforeCommit = toSafeInteger(data["failBeforeCommitExceptionCode"]);
      return { codeBeforeCommit, closeConnection: data["closeConnection"] !== false };
    },
  };
}

function parse({ mode, data: given }: Doc): FailPoint {
  const data = isDoc(given) ? given : {};
  const unknown = Object.keys(data).find((key) => !knownData.includes(key));
  demand(unknown === undefined, "UnknownField", `BSON field 'failpoint data.${unknown}' is an unknown field.`);
  const [skip, times] = ["skip", "times"].map((key) => (isDoc(mode) ? toSafeInteger(field(mode, key)) : undefined));
  const isKnown = mode === "alwaysOn" || skip !== undefined || times !== undefined;
  demand(isKnown, "BadValue", "a failpoint's mode is 'off', 'alwaysOn', {times} or {skip}");
  return { skip: skip ?? 0, times: times ?? Number.POSITIVE_INFINITY, data };
}

function faultOf(data: Doc): Fault {
  const { errorLabels: labels, writeConcernError } = data;
  return {
    closeConnection: data["closeConnection"] === true,
    errorCode: toSafeInteger(data["errorCode"]),
    errorLabels: isArray(labels) ? labels.map(String) : undefined,
    writeConcernError: isDoc(writeConcernError) ? writeConcernError : undefined,
    blockMs: data["blockConnection"] === true ? (toSafeInteger(data["blockTimeMS"]) ?? 0) : 0,
  };
}

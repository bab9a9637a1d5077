import { CommandError } from "./errors";
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

interface FailPoint {
  name: string;
  skip: number;
  times: number;
  data: Doc;
}

const knownData = new Set([
  "failCommands",
  "errorCode",
  "closeConnection",
  "blockConnection",
  "blockTimeMS",
  "errorLabels",
  "writeConcernError",
  "appName",
  "failInternalCommands",
  "failBeforeCommitExceptionCode",
]);

export type FailPoints = ReturnType<typeof makeFailPoints>;

export function makeFailPoints() {
  const active = new Map<string, FailPoint>();

  /** Counts this meeting and tells whether the fault happens now. */
  function fires(point: FailPoint): boolean {
    if (point.skip > 0) {
      point.skip -= 1;
      return false;
    }
    point.times -= 1;
    if (point.times <= 0) active.delete(point.name);
    return true;
  }

  return {
    configure(command: Doc): void {
      const name = command["configureFailPoint"];
      if (name !== "failCommand" && name !== "onPrimaryTransactionalWrite") {
        throw new CommandError(249, `failpoint not found: ${String(name)}`);
      }
      if (command["mode"] === "off") active.delete(name);
      else active.set(name, parse(name, command));
    },
    /** The fault that this command meets, if any. */
    onCommand(commandName: string, appName: string | undefined): Fault | undefined {
      const point = active.get("failCommand");
      const commands = point?.data["failCommands"];
      if (point === undefined || !isArray(commands) || !commands.includes(commandName)) return undefined;
      const wanted = point.data["appName"];
      if (wanted !== undefined && wanted !== appName) return undefined;
      return fires(point) ? faultOf(point.data) : undefined;
    },
    /** The fault of a write that a driver may retry: before it is committed, or after with the reply lost. */
    onRetryableWrite(): { codeBeforeCommit: number | undefined; closeConnection: boolean } | undefined {
      const point = active.get("onPrimaryTransactionalWrite");
      if (point === undefined || !fires(point)) return undefined;
      const code = toSafeInteger(point.data["failBeforeCommitExceptionCode"]);
      return { codeBeforeCommit: code, closeConnection: point.data["closeConnection"] !== false };
    },
  };
}

function parse(name: string, command: Doc): FailPoint {
  const mode = command["mode"];
  const data = isDoc(command["data"]) ? command["data"] : {};
  const unknown = Object.keys(data).find((key) => !knownData.has(key));
  if (unknown !== undefined)
    throw new CommandError("UnknownField", `BSON field 'failpoint data.${unknown}' is an unknown field.`);
  const count = (key: string) => (isDoc(mode) ? toSafeInteger(field(mode, key)) : undefined);
  if (mode !== "alwaysOn" && count("times") === undefined && count("skip") === undefined) {
    throw new CommandError("BadValue", "a failpoint's mode is 'off', 'alwaysOn', {times} or {skip}");
  }
  return { name, skip: count("skip") ?? 0, times: count("times") ?? Number.POSITIVE_INFINITY, data };
}

function faultOf(data: Doc): Fault {
  const labels = data["errorLabels"];
  const isBlocking = data["blockConnection"] === true;
  return {
    closeConnection: data["closeConnection"] === true,
    errorCode: toSafeInteger(data["errorCode"]),
    errorLabels: isArray(labels) ? labels.map(String) : undefined,
    writeConcernError: isDoc(data["writeConcernError"]) ? data["writeConcernError"] : undefined,
    blockMs: isBlocking ? (toSafeInteger(data["blockTimeMS"]) ?? 0) : 0,
  };
}

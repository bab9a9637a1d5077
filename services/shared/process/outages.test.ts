import { Error as MongooseErrors, mongo } from "mongoose";
import { isOutage } from "./outages";

/** Every class of error that the driver has: true if it means that a store does not answer at present, and nothing worse. */
const driverErrors: Record<string, boolean> = {
  MongoAPIError: false,
  MongoAWSError: false,
  MongoAzureError: false,
  MongoBatchReExecutionError: false,
  MongoBulkWriteError: false,
  MongoChangeStreamError: false,
  MongoClientBulkWriteCursorError: false,
  MongoClientBulkWriteError: false,
  MongoClientBulkWriteExecutionError: false,
  MongoClientClosedError: true,
  MongoCompatibilityError: false,
  MongoCursorExhaustedError: false,
  MongoCursorInUseError: false,
  MongoDecompressionError: false,
  MongoDriverError: false,
  MongoError: false,
  MongoExpiredSessionError: true,
  MongoGCPError: false,
  MongoGridFSChunkError: false,
  MongoGridFSStreamError: false,
  MongoInvalidArgumentError: false,
  MongoKerberosError: false,
  MongoMissingCredentialsError: false,
  MongoMissingDependencyError: false,
  MongoNetworkError: true,
  MongoNetworkTimeoutError: true,
  MongoNotConnectedError: true,
  MongoOIDCError: false,
  MongoOperationTimeoutError: true,
  MongoParseError: false,
  MongoRuntimeError: false,
  MongoServerClosedError: true,
  MongoServerError: false,
  MongoServerSelectionError: true,
  MongoStalePrimaryError: true,
  MongoSystemError: true,
  MongoTailableCursorError: false,
  MongoTopologyClosedError: true,
  MongoTransactionError: false,
  MongoUnexpectedServerResponseError: false,
  MongoWriteConcernError: true,
};

/** Makes an error with the name that one of the driver's classes has, without the arguments that its constructor requires. */
const errorNamed = (name: string): Error => Object.defineProperty(new Error("words"), "name", { value: name });

const lost = new mongo.MongoNetworkError("connection closed");
const noPrimary = errorNamed("MongoServerSelectionError");
const bulk = (error: object): Error => new mongo.MongoBulkWriteError(error as never, {} as never);
const answer = (facts: object): Error => new mongo.MongoServerError({ errmsg: "words of a server", ...facts });

describe("isOutage", () => {
  it("classifies every class of error that the driver has", () => {
    const names = Object.entries(mongo).flatMap(([name, value]) =>
      typeof value === "function" && value.prototype instanceof Error && !name.startsWith("MongoCrypt") ? [name] : [],
    );

    expect(names.sort()).toEqual(Object.keys(driverErrors).sort());
  });

  it.each(Object.entries(driverErrors))("says of %s by itself: %s", (name, isOne) => {
    expect(isOutage(errorNamed(name))).toBe(isOne);
  });

  it.each([
    "PoolClearedError",
    "MongoPoolClearedError",
    "PoolClearedOnNetworkError",
    "MongoPoolClosedError",
    "MongoWaitQueueTimeoutError",
  ])("says of %s of the driver's pools: true", (name) => {
    expect(isOutage(errorNamed(name))).toBe(true);
  });

  it.each<[string, Error]>([
    ["a bulk write", bulk(lost)],
    ["a bulk write without a primary", bulk(noPrimary)],
    ["a bulk write on a primary that steps down", bulk(answer({ code: 189 }))],
    ["a bulk write whose majority does not answer", bulk({ message: "waiting for replication timed out", code: 64 })],
    ["a cause", new Error("outer", { cause: new Error("inner", { cause: lost }) })],
    ["a reason", Object.assign(new Error("selection"), { reason: lost })],
    ["several errors", new AggregateError([new Error("one"), lost])],
    ["mongoose", new MongooseErrors.MongooseServerSelectionError("no primary")],
    ["a label of the driver", Object.assign(answer({}), { errorLabelSet: new Set(["TransientTransactionError"]) })],
    ["the system", Object.assign(new Error("write EPIPE"), { code: "EPIPE" })],
  ])("finds an outage in %s", (_place, error) => {
    expect(isOutage(error)).toBe(true);
  });

  it.each([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436, 43, 112, 262])(
    "takes code %i of a server for one",
    (code) => {
      expect(isOutage(answer({ code }))).toBe(true);
    },
  );

  it.each<[string, unknown]>([
    ["an error of our own", new Error("undefined is not a function")],
    ["a duplicate key", answer({ code: 11_000 })],
    ["a duplicate key in a bulk write", bulk({ message: "E11000", code: 11_000, writeErrors: [{ code: 11_000 }] })],
    ["an update that the server does not understand", answer({ code: 9 })],
    [
      "the status of another kind of call that has the number of a server's code",
      Object.assign(new Error(), { code: 6 }),
    ],
    ["an error that wraps itself", ring()],
    ["something that is no error", { code: "EPIPE" }],
  ])("does not take %s for one", (_case, error) => {
    expect(isOutage(error)).toBe(false);
  });
});

function ring(): Error {
  const error: Error & { cause?: unknown } = new Error("around");
  error.cause = error;
  return error;
}

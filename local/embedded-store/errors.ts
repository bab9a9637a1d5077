/** MongoDB's error codes by name; the source is the server's public error_codes.yml. */
export const codes = {
  InternalError: 1,
  BadValue: 2,
  NoSuchKey: 4,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  IllegalOperation: 20,
  InvalidLength: 21,
  InvalidBSON: 22,
  LockTimeout: 24,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  UnknownReplWriteConcern: 79,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  ConflictingOperationInProgress: 117,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  ClientMetadataMissingField: 183,
  TransactionTooOld: 225,
  NotImplemented: 238,
  ConversionFailure: 241,
  SnapshotUnavailable: 246,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  NoQueryExecutionPlans: 291,
  DuplicateKey: 11_000,
  Interrupted: 11_601,
  UnknownField: 40_415,
} as const;

export type CodeName = keyof typeof codes;

/** Names for codes that only failpoints produce, and the two whose name differs from the table above. */
const otherNames: Record<number, string> = {
  6: "HostUnreachable",
  7: "HostNotFound",
  8: "UnknownError",
  89: "NetworkTimeout",
  91: "ShutdownInProgress",
  189: "PrimarySteppedDown",
  262: "ExceededTimeLimit",
  10107: "NotWritablePrimary",
  11600: "InterruptedAtShutdown",
  11602: "InterruptedDueToReplStateChange",
  13435: "NotPrimaryNoSecondaryOk",
  13436: "NotPrimaryOrSecondary",
  40415: "Location40415",
};

const namesByCode = new Map<number, string>(Object.entries(codes).map(([name, code]) => [code, name]));

export function codeName(code: number): string {
  return otherNames[code] ?? namesByCode.get(code) ?? `Location${code}`;
}

/** A refusal that the client gets with MongoDB's code. `details` become fields of the reply. */
export class CommandError extends Error {
  readonly code: number;
  readonly details: Record<string, unknown>;
  labels: string[] | undefined;

  constructor(code: CodeName | number, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "CommandError";
    this.code = typeof code === "number" ? code : codes[code];
    this.details = details;
  }
}

/** Refuses unless the condition holds. */
export function demand(holds: boolean, code: CodeName | number, message: string): asserts holds {
  if (!holds) throw new CommandError(code, message);
}

/** Refuses a feature that this store does not have, instead of ignoring it. */
export function notSupported(feature: string): CommandError {
  return new CommandError("NotImplemented", `${feature} is not supported by the embedded store`);
}

/** Codes after which a driver may try a write again; the retryable writes specification lists them. */
const retryableCodes = new Set([6, 7, 89, 91, 134, 189, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436]);

const transientCodes = new Set<number>([
  codes.WriteConflict,
  codes.LockTimeout,
  codes.NoSuchTransaction,
  codes.SnapshotUnavailable,
  // PreparedTransactionInProgress, which only failpoints produce.
  267,
]);

export interface LabelContext {
  inTransaction: boolean;
  isCommitOrAbort: boolean;
  isRetryableWrite: boolean;
}

/** Labels say what a driver may repeat: the whole transaction, or this one write. */
export function labelsFor(code: number, context: LabelContext): string[] {
  if (context.isCommitOrAbort) {
    if (retryableCodes.has(code)) return ["RetryableWriteError"];
    return transientCodes.has(code) ? ["TransientTransactionError"] : [];
  }
  if (context.inTransaction) {
    return transientCodes.has(code) || retryableCodes.has(code) ? ["TransientTransactionError"] : [];
  }
  return context.isRetryableWrite && retryableCodes.has(code) ? ["RetryableWriteError"] : [];
}

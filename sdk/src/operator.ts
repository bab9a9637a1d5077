import { type Answered, type AnyInput, type Given, makeCaller, type Optional, type ParamsOf } from "./call.ts";
import type { OperatorApi } from "./gen/operator.ts";
import { operatorExactMembers, operatorOperations } from "./gen/operator-facts.ts";
import { requireExactJson } from "./json.ts";
import type { CallOptions, CorridorOptions } from "./options.ts";

export type * from "./gen/operator.ts";
export { type OperatorRoute, operatorRoutes } from "./gen/operator-routes.ts";

/** Every operation of the operator API, by method and path. */
export type OperatorOperation = keyof OperatorApi & keyof typeof operatorOperations;

export type OperatorInput<Name extends OperatorOperation> = Optional<OperatorApi[Name]> &
  ([ParamsOf<Name, never>] extends [never]
    ? unknown
    : { readonly params: Readonly<Record<ParamsOf<Name, never>, string>> });

/** Calls any operation by its name, typed: `call("GET /cases/{caseId}", { params: { caseId } })`. */
export type OperatorCall = <Name extends OperatorOperation>(
  name: Name,
  ...given: Given<OperatorInput<Name>, CallOptions>
) => Promise<Answered<OperatorApi[Name]["answer"]>>;

/** Address of the operator API, and the caller's credential: a token, or the session of a login, read for each request. */
export interface OperatorOptions
  extends Pick<CorridorOptions, "baseUrl" | "fetch" | "timeoutMs" | "attemptTimeoutMs" | "tries" | "clock" | "before"> {
  readonly token?: () => string | Promise<string>;
}

/** A client for operators of the platform. Input and answers are typed; amounts that operators send are texts on the wire, too. */
export class Operator {
  readonly call: OperatorCall;
  /** The same with a name and an input that are known only at run time. */
  readonly request: (name: string, input?: AnyInput, options?: CallOptions) => Promise<unknown>;

  constructor({ token, ...options }: OperatorOptions) {
    requireExactJson();
    const request = makeCaller(options, {
      operations: operatorOperations,
      exact: operatorExactMembers,
      write: JSON.stringify,
      headers: async (): Promise<Record<string, string>> =>
        token === undefined ? {} : { authorization: `Bearer ${await token()}` },
    });
    this.request = request;
    this.call = request as OperatorCall;
  }
}

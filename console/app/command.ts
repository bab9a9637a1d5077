import { callOperator, exchange, type OperatorCall, type OperatorInput } from "./api";

/** A command that waits for a second pair of eyes. */
export interface Waiting {
  readonly approval: string;
}

/** True for the answer of a command that has not been carried out yet. */
const isWaiting = (answer: unknown): answer is Waiting =>
  typeof answer === "object" && answer !== null && "approval" in answer && typeof answer.approval === "string";

/** Sends a command of an operator; returns the approval that it waits for, if another operator has to agree first. */
export async function command<Name extends OperatorCall>(
  name: Name,
  input: OperatorInput<Name>,
): Promise<Waiting | undefined> {
  const answer: unknown = await callOperator(name, input);
  return isWaiting(answer) ? answer : undefined;
}

/** Carries out an approved command: the same call again, byte for byte, with its approval. */
export async function carryOut(action: string, object: string, body: string | null, approvalId: string): Promise<void> {
  const [method = "POST", template = ""] = action.split(" ");
  const params = new Map(object.split(" ").map((part) => part.split("=") as [string, string]));
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params.get(key) ?? ""));
  await exchange(method, `/api/o${path}`, body === null || body === "" ? undefined : body, { approval: approvalId });
}

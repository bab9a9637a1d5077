import { setImmediate as nextTurn } from "node:timers/promises";

/** Work in short steps. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Does one step in each turn of the event loop, so that no caller waits for more than one. */
export async function turnByTurn<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    await nextTurn();
    step = steps.next();
  }
  return step.value;
}

/** Returns the JSON text of a document, made in a step for each member of its members. */
export function* jsonSteps(document: object): Steps<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(document)) {
    const text: string = isObject(value) ? yield* membersText(value) : JSON.stringify(value);
    members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(",")}}`;
}

function* membersText(value: object): Steps<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    members.push(`${JSON.stringify(name)}:${JSON.stringify(member)}`);
    yield;
  }
  return `{${members.join(",")}}`;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

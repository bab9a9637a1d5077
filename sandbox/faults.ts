import { setTimeout as delay } from "node:timers/promises";
import { type Response, Router } from "express";
import type { Answer } from "./answer";
import { answerProblems, asObject, type Problem } from "./input";

/** What can go wrong at each provider, by its name. */
export type Operations = Readonly<Record<string, readonly string[]>>;

/** What goes wrong with one call. Without any field set, nothing does. */
export interface Fault {
  /** Waited after the durable effect and before the answer. */
  latencyMs: number;
  /** Answered instead of executing anything. */
  status: number | undefined;
  /** Executed, but never answered. */
  timeoutAfterExecute: boolean;
  /** The provider decides against the caller where it has a decision to make; elsewhere it answers 503, unexecuted. */
  refuse: boolean;
}

interface Rule extends Fault {
  rail: string;
  operation: string;
  /** Calls that the rule still applies to. */
  left: number;
}

/** The fault rules of this process. They are switches of a test, so a restart forgets them. */
export interface Faults {
  add(rule: Rule): void;
  clear(): void;
  /** The fault for one call: the oldest rule that applies, which is used up by one. */
  take(rail: string, operation: string): Fault;
}

const none: Fault = { latencyMs: 0, status: undefined, timeoutAfterExecute: false, refuse: false };
const longestUnansweredMs = 60_000;

/** Makes an empty set of rules. */
export function makeFaults(): Faults {
  let rules: Rule[] = [];
  return {
    add(rule) {
      rules.push(rule);
    },
    clear() {
      rules = [];
    },
    take(rail, operation) {
      const rule = rules.find((candidate) => candidate.rail === rail && candidate.operation === operation);
      if (rule === undefined) return none;
      rule.left -= 1;
      if (rule.left === 0) rules = rules.filter((candidate) => candidate !== rule);
      return rule;
    },
  };
}

/** The status that stands in for an execution, if the fault asks for one. */
export function statusInstead(fault: Fault): number | undefined {
  return fault.status ?? (fault.refuse ? 503 : undefined);
}

/** Executes a call under a fault and answers it, late or never if the fault says so. */
export async function answerUnderFault(res: Response, fault: Fault, execute: () => Promise<Answer>): Promise<void> {
  const instead = statusInstead(fault);
  const answer: Answer = instead === undefined ? await execute() : { status: instead, body: { error: "fault" } };
  if (fault.latencyMs > 0) await delay(fault.latencyMs, undefined, { ref: false });
  if (fault.timeoutAfterExecute || answer.isLost === true) {
    setTimeout(() => res.destroy(), longestUnansweredMs).unref();
    return;
  }
  res.status(answer.status).json(answer.body);
}

/** `POST /faults` adds a rule, `DELETE /faults` clears all. */
export function faultRoutes(faults: Faults, operations: Operations): Router {
  const router = Router();
  router.post("/faults", (req, res) => {
    const problems: Problem[] = [];
    const rule = parseRule(req.body, operations, problems);
    if (answerProblems(res, { problems }) || rule === undefined) return;
    faults.add(rule);
    res.status(201).json({ ...rule, left: undefined, times: Number.isFinite(rule.left) ? rule.left : null });
  });
  router.delete("/faults", (_req, res) => {
    faults.clear();
    res.status(204).end();
  });
  return router;
}

function parseRule(body: unknown, operations: Operations, problems: Problem[]): Rule | undefined {
  const fields = asObject(body);
  const oneOf = (field: string, allowed: readonly string[]): string | undefined => {
    const found = allowed.find((candidate) => candidate === fields[field]);
    if (found === undefined) problems.push({ field, message: `must be one of ${allowed.join(", ")}` });
    return found;
  };
  const rail = oneOf("rail", Object.keys(operations));
  const operation = oneOf("operation", operations[rail ?? ""] ?? []);
  const whole = (field: string, min: number, max: number): number | undefined => {
    const value = fields[field];
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    problems.push({ field, message: `must be a whole number from ${min} to ${max}` });
    return undefined;
  };
  const flag = (field: string): boolean => {
    const value = fields[field];
    if (value !== undefined && typeof value !== "boolean") problems.push({ field, message: "must be true or false" });
    return value === true;
  };
  const fault: Fault = {
    latencyMs: whole("latencyMs", 0, 60_000) ?? 0,
    status: whole("status", 400, 599),
    timeoutAfterExecute: flag("timeoutAfterExecute"),
    refuse: flag("refuse"),
  };
  const left = whole("times", 1, 1_000_000) ?? Number.POSITIVE_INFINITY;
  return operation === undefined || rail === undefined || problems.length > 0
    ? undefined
    : { rail, operation, ...fault, left };
}

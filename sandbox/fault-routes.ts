import { Ajv, type ErrorObject } from "ajv";
import { Router } from "express";
import { answerKinds, type Fault, faultNone, type Operations, type Rule, signatureFaults } from "./fault-rule";
import type { Faults } from "./faults";
import { answerProblems, asObject, type Problem, text } from "./input";

const amount = { type: "string", pattern: "^[0-9]{1,16}([.][0-9]{1,4})?$" };
const count = (maximum: number, minimum = 1) => ({ type: "integer", minimum, maximum });
const flag = { type: "boolean" };
const fields = { type: "object" };
const closed = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});
const seconds = { type: "number", minimum: 0, maximum: 10 * 366 * 86_400 };

/** Rules of the form `{provider, step, …}`; provider and step are checked separately. */
const ruleSchema = closed(
  {
    provider: { type: "string" },
    step: { type: "string" },
    mark: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
    reference: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,255}$" },
    nth: count(1_000_000),
    times: count(1_000_000),
    execute: flag,
    delayMs: count(60_000, 0),
    refuse: flag,
    answer: closed({
      status: count(599, 200),
      body: {},
      headers: { type: "object", additionalProperties: { type: "string" } },
      kind: { enum: answerKinds },
    }),
    effect: closed({ amount, currency: { type: "string", pattern: "^[A-Z]{3}$" }, copies: count(10) }),
    tell: { enum: ["before", "after"] },
    acts: {
      type: "array",
      maxItems: 10,
      items: closed({ act: { type: "string" }, amount, afterSeconds: seconds, isSilent: flag }, ["act"]),
    },
    report: closed({
      isSuppressed: flag,
      copies: count(10),
      change: fields,
      extras: {
        type: "array",
        maxItems: 10,
        items: closed({ when: { enum: ["before", "after"] }, hasSameEvent: flag, change: fields }),
      },
      overtakenMs: count(60_000),
    }),
    signature: { enum: signatureFaults },
    line: closed({
      is: { enum: ["missing", "doubled", "late"] },
      afterSeconds: seconds,
      change: closed({ amount, currency: { type: "string" }, reference: { type: "string" } }),
    }),
  },
  ["provider", "step"],
);
const validate = new Ajv({ allErrors: true, strict: true }).compile<RuleBody>(ruleSchema);

interface RuleBody extends Partial<Omit<Fault, "latencyMs" | "status" | "timeoutAfterExecute">> {
  provider: string;
  step: string;
  mark?: string;
  reference?: string;
  nth?: number;
  times?: number;
  delayMs?: number;
}

const maxRules = 1_000;

/** `POST /faults` adds one rule or a list, `DELETE /faults` clears all rules, or those of one mark. */
export function faultRoutes(faults: Faults, operations: Operations): Router {
  const router = Router();
  router.post("/faults", (req, res) => {
    const problems: Problem[] = [];
    const body: unknown = req.body;
    const rules = (Array.isArray(body) ? body.slice(0, maxRules) : [body]).map((one) =>
      parseRule(one, operations, problems),
    );
    if (answerProblems(res, { problems })) return;
    for (const rule of rules) if (rule !== undefined) faults.add(rule);
    const shown = rules.map((rule) => rule && show(rule));
    res.status(201).json(Array.isArray(body) ? shown : shown[0]);
  });
  router.delete("/faults", (req, res) => {
    faults.clear(text(req.query["mark"]) || undefined);
    res.status(204).end();
  });
  return router;
}

const show = ({ provider, step, fault, left, seen: _seen, ...when }: Rule): object => ({
  provider,
  step,
  rail: provider,
  operation: step,
  ...when,
  ...fault,
  times: Number.isFinite(left) ? left : null,
});

function parseRule(body: unknown, operations: Operations, problems: Problem[]): Rule | undefined {
  return asObject(body)["provider"] === undefined
    ? parseSimple(body, operations, problems)
    : parseFull(body, operations, problems);
}

function parseFull(body: unknown, operations: Operations, problems: Problem[]): Rule | undefined {
  if (!validate(body)) {
    problems.push(...(validate.errors ?? []).map(toProblem));
    return undefined;
  }
  const { provider, step, mark, reference, nth, times, delayMs, line, ...rest } = body;
  const steps = operations[provider];
  if (steps === undefined) problems.push(mustBeOne("provider", Object.keys(operations)));
  else if (!steps.includes(step)) problems.push(mustBeOne("step", steps));
  const fault: Fault = {
    ...faultNone,
    ...rest,
    latencyMs: delayMs ?? 0,
    line: line && { ...line, afterSeconds: line.afterSeconds ?? 0 },
  };
  return { provider, step, mark, reference, nth, seen: 0, left: times ?? Number.POSITIVE_INFINITY, fault };
}

const mustBeOne = (field: string, allowed: readonly string[]): Problem => ({
  field,
  message: `must be one of ${allowed.join(", ")}`,
});

function toProblem({ instancePath, params, message = "is wrong" }: ErrorObject): Problem {
  const extra = text(asObject(params)["additionalProperty"]) || text(asObject(params)["missingProperty"]);
  const path = [...instancePath.split("/").slice(1), ...(extra === "" ? [] : [extra])];
  return { field: path.join("."), message };
}

function parseSimple(body: unknown, operations: Operations, problems: Problem[]): Rule | undefined {
  const value = asObject(body);
  const oneOf = (field: string, allowed: readonly string[]): string | undefined => {
    const found = allowed.find((candidate) => candidate === value[field]);
    if (found === undefined) problems.push(mustBeOne(field, allowed));
    return found;
  };
  const rail = oneOf("rail", Object.keys(operations));
  const operation = oneOf("operation", operations[rail ?? ""] ?? []);
  const whole = (field: string, min: number, max: number): number | undefined => {
    const found = value[field];
    if (found === undefined) return undefined;
    if (typeof found === "number" && Number.isInteger(found) && found >= min && found <= max) return found;
    problems.push({ field, message: `must be a whole number from ${min} to ${max}` });
    return undefined;
  };
  const isSet = (field: string): boolean => {
    const found = value[field];
    if (found !== undefined && typeof found !== "boolean") problems.push({ field, message: "must be true or false" });
    return found === true;
  };
  const fault: Fault = {
    ...faultNone,
    latencyMs: whole("latencyMs", 0, 60_000) ?? 0,
    status: whole("status", 400, 599),
    timeoutAfterExecute: isSet("timeoutAfterExecute"),
    refuse: isSet("refuse"),
  };
  const left = whole("times", 1, 1_000_000) ?? Number.POSITIVE_INFINITY;
  if (operation === undefined || rail === undefined) return undefined;
  const anyCall = { mark: undefined, reference: undefined, nth: undefined, seen: 0 };
  return { provider: rail, step: operation, ...anyCall, left, fault };
}

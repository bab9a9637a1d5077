import { type Fault, faultNone, type Rule } from "./fault-rule";

/** A call or event that a rule may apply to. */
export interface FaultSubject {
  provider: string;
  step: string;
  /** The order that it concerns. */
  reference?: string | undefined;
  /** Body of the call: an order with `FAULT:<mark>` in any of its texts carries that mark from then on. */
  body?: unknown;
}

/** The fault rules of this process. They serve tests, so a restart drops them. */
export interface Faults {
  add(rule: Rule): void;
  /** Removes all rules, or those of one mark. */
  clear(mark?: string): void;
  /** Returns the fault for one call, from the oldest matching rule, and counts one use of that rule. */
  take(subject: FaultSubject): Fault;
}

const markPattern = /FAULT:([A-Za-z0-9_-]{1,64})/;

/** Makes an empty set of rules. Rules with a mark or reference are indexed by it, so that there may be many. */
export function makeFaults(): Faults {
  let rules = new Map<string, Rule[]>();
  const marks = new Map<string, string>();
  const keyOf = ({ provider, step, mark, reference }: Pick<Rule, "provider" | "step" | "mark" | "reference">): string =>
    [provider, step, mark ?? "", reference ?? ""].join("|");
  let count = 0;
  const order = new WeakMap<Rule, number>();

  const markOf = ({ reference, body }: FaultSubject): string | undefined => {
    const known = reference === undefined ? undefined : marks.get(reference);
    if (known !== undefined || body === undefined) return known;
    const mark = markPattern.exec(JSON.stringify(body))?.[1];
    if (mark !== undefined && reference !== undefined) marks.set(reference, mark);
    return mark;
  };
  const matching = (subject: FaultSubject): Rule[] => {
    const mark = markOf(subject);
    const { provider, step, reference } = subject;
    const keys = [keyOf({ provider, step, mark: undefined, reference: undefined })];
    if (mark !== undefined) keys.push(keyOf({ provider, step, mark, reference: undefined }));
    if (reference !== undefined) keys.push(keyOf({ provider, step, mark: undefined, reference }));
    return keys.flatMap((key) => rules.get(key) ?? []).toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  };
  const remove = (rule: Rule): void => {
    const key = keyOf(rule);
    const left = (rules.get(key) ?? []).filter((candidate) => candidate !== rule);
    if (left.length > 0) rules.set(key, left);
    else rules.delete(key);
  };
  return {
    add(rule) {
      count += 1;
      order.set(rule, count);
      const key = keyOf(rule);
      rules.set(key, [...(rules.get(key) ?? []), rule]);
    },
    clear(mark) {
      if (mark === undefined) rules = new Map();
      else for (const rule of [...rules.values()].flat()) if (rule.mark === mark) remove(rule);
    },
    take(subject) {
      let taken: Rule | undefined;
      for (const rule of matching(subject)) {
        rule.seen += 1;
        if (taken === undefined && (rule.nth === undefined || rule.seen >= rule.nth)) taken = rule;
      }
      if (taken === undefined) return faultNone;
      taken.left -= 1;
      if (taken.left === 0) remove(taken);
      return taken.fault;
    },
  };
}

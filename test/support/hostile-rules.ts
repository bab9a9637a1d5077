import { type Adapter, answerClasses, type HostileCase, isRail, rowOf } from "./hostile-cases";

/** An amount other than that of a payment of 100. */
const otherAmount = (adapter: Adapter): string => (isRail(adapter) ? "61.50" : "60.74");

/** A provider's spontaneous act during a query, contrary to the request. */
const contradictions: Readonly<Record<string, string>> = {
  "rail prepare": "CANCEL",
  "rail release": "REJECT",
  "rail cancel": "PAY",
  "acquirer authorize": "DECLINE",
  "acquirer capture": "VOID",
  "acquirer void": "CAPTURE",
  "acquirer refund": "CHARGEBACK",
  "debits debit": "RETURN",
  "debits refund": "RETURN",
  "screening screen": "REJECT",
};

/** The sandbox rules of a case, all of them for orders with the mark. */
export function rulesOf(one: HostileCase, mark: string): object[] {
  const { adapter: provider, step, way } = one.target;
  const own = { provider, mark };
  const { isExecuted } = one;
  const isTold = one.callback !== "none";
  const row = rowOf(one);
  const class_ =
    row === undefined
      ? answerClasses[one.answer as keyof typeof answerClasses]
      : { answer: { status: row.status, body: row.body } };
  const rules: object[] = [];
  rules.push({
    ...own,
    step,
    times: 1,
    ...("refuse" in class_ ? class_ : { ...class_, execute: isExecuted }),
    ...effectOf(one),
    ...(isTold && one.callback !== "before the answer" && isExecuted ? { tell: "after" } : {}),
    ...(one.callback === "before the answer" && isExecuted ? { tell: "before" } : {}),
  });
  rules.push(...questionRules(one, own), ...callbackRules(one, own));
  if (way === "rejected after release") rules.push({ provider: "pix", mark, step: "settle", refuse: true, times: 1 });
  return rules;
}

function effectOf({ answer, target: { adapter } }: HostileCase): object {
  if (answer === "ok, other amount") return { effect: { amount: otherAmount(adapter) } };
  if (answer === "ok, other currency") return { effect: { currency: "CHF" } };
  return {};
}

function questionRules({ question, callback, target: { adapter, step } }: HostileCase, own: object): object[] {
  const asked = { ...own, step: "query" };
  switch (question) {
    case "found":
      return [];
    case "absent":
      return [
        {
          ...asked,
          times: 2,
          execute: false,
          answer: { status: 404, body: { error: "not_found", reference: "{reference}" } },
        },
      ];
    case "unknown":
      return [{ ...asked, times: 2, execute: false, answer: { status: 503, body: {} } }];
    case "other amount":
      return [{ ...asked, times: 1, answer: { kind: "wrong-amount" } }];
    case "contradicting": {
      const act = contradictions[`${isRail(adapter) ? "rail" : adapter} ${step}`];
      return [{ ...asked, times: 1, acts: [{ act, isSilent: callback === "none" }] }];
    }
  }
}

function callbackRules({ callback }: HostileCase, own: { mark: string }): object[] {
  const report = { ...own, step: "report" };
  switch (callback) {
    case "none":
      return [{ ...report, report: { isSuppressed: true } }];
    case "before the answer":
    case "after":
      return [];
    case "doubled":
      return [{ ...report, report: { copies: 2 } }];
    case "other content":
      return [{ ...report, times: 1, report: { extras: [{ hasSameEvent: true, change: { amount: "1.00" } }] } }];
    case "out of order":
      return [{ ...report, times: 1, report: { overtakenMs: 400 } }];
    case "unknown reference":
      return [
        { ...report, times: 1, report: { extras: [{ when: "before", change: { reference: `nobody-${own.mark}` } }] } },
      ];
  }
}

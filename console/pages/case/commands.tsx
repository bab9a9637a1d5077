import { type ReactNode, useState } from "react";
import type { Case, CaseCommand } from "../../../sdk/src/gen/operator";
import { command } from "../../app/command";
import { useMe, useSession } from "../../app/session";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { CommandButton } from "../../ui/command-button";

const { case: own } = operatorText;
const settleKinds =
  "AUTHORIZED CAPTURED SETTLED VOIDED REFUNDED COLLECTION_RETURNED CHARGED_BACK DECLINED PAID REJECTED PAYOUT_RETURNED CANCELLED REFUSED".split(
    " ",
  );
const steps = ["REFUND", "VOID", "CANCEL", "RELEASE"];

/** An operator's input for the commands of a case. */
const nothing = {
  note: "",
  evidence: "",
  kind: settleKinds[0] ?? "",
  step: steps[0] ?? "",
  total: "",
  currency: "",
  movementId: "",
  from: "",
  to: "",
  paymentId: "",
};
type Typed = typeof nothing;

/** Commands on an open case. Each decision has an id of its own: sent twice, it takes effect once. */
export function CaseCommands({ one, onDone }: { readonly one: Case; readonly onDone: () => void }) {
  const { may } = useSession();
  const { userId, name } = useMe();
  const [commandId, setCommandId] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState<Typed>({ ...nothing, currency: one.amounts[0]?.currency ?? "" });
  if (!may("cases:command") || one.state !== "OPEN") return null;
  const [paymentId] = one.paymentIds;
  const about = paymentId === undefined ? {} : { paymentId };
  const set = (name: keyof Typed) => (value: string) => setTyped((now) => ({ ...now, [name]: value }));
  const field = (name: keyof Typed, label: string) => (
    <label className="entry">
      {label}
      <input className="field" value={typed[name]} onChange={(event) => set(name)(event.target.value)} />
    </label>
  );
  const amount = typed.total === "" ? {} : { amount: { total: typed.total, currency: typed.currency } };
  const amounts = (
    <div className="fields">
      {field("total", own.amount)}
      {field("currency", own.currency)}
    </div>
  );
  const make = (label: string, title: string, what: object, fields?: ReactNode, isMoney = false) => (
    <CommandButton
      label={label}
      title={title}
      isDanger={isMoney}
      {...(what === close ? { className: "button main" } : {})}
      run={() => {
        const proof = typed.evidence === "" ? {} : { evidence: typed.evidence };
        const body = { commandId, note: typed.note, ...proof, ...what } as CaseCommand;
        return command("POST /cases/{caseId}/commands", { params: { caseId: one.caseId }, body });
      }}
      onDone={() => {
        setCommandId(crypto.randomUUID());
        setTyped((now) => ({ ...nothing, currency: now.currency }));
        onDone();
      }}
    >
      {fields}
      <Long label={own.note} value={typed.note} onChange={set("note")} />
      <Long label={own.evidence} value={typed.evidence} onChange={set("evidence")} />
    </CommandButton>
  );
  const movement = typed.movementId === "" ? {} : { movementId: typed.movementId };
  return (
    <>
      {make(own.assign, own.assignAsk, { command: "assign", owner: name ?? userId })}
      {make(own.ask, own.askAsk, { command: "askProvider", ...about })}
      {make(
        own.begin,
        own.beginAsk,
        { command: "beginStep", step: typed.step, ...amount, ...about },
        <>
          <Choice label={own.step} value={typed.step} options={steps} onChange={set("step")} />
          {amounts}
        </>,
        true,
      )}
      <details className="menu">
        <summary className="button">{own.more}</summary>
        <div className="menu-box">
          {make(
            own.settle,
            own.settleAsk,
            { command: "settleStep", kind: typed.kind, ...amount, ...movement, ...about },
            <>
              <Choice label={own.happened} value={typed.kind} options={settleKinds} onChange={set("kind")} />
              {amounts}
              {field("movementId", own.movement)}
            </>,
          )}
          {make(
            own.correct,
            own.correctAsk,
            { command: "postCorrection", postings: postingsOf(typed) },
            <>
              {field("from", own.from)}
              {field("to", own.to)}
              {amounts}
            </>,
            true,
          )}
          {make(
            own.repoint,
            own.repointAsk,
            { command: "repointFact", paymentId: typed.paymentId },
            field("paymentId", tenantText.payment.paymentId),
          )}
        </div>
      </details>
      {make(own.close, own.closeAsk, close)}
    </>
  );
}

const close = { command: "close" } as const;

/** Money goes from one account to the other: the postings add up to zero. */
const postingsOf = ({ from, to, total, currency }: Typed) => [
  { account: from.trim(), currency, total: `-${total}` },
  { account: to.trim(), currency, total },
];

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Long = ({ label, value, onChange }: TextProps) => (
  <label className="entry">
    {label}
    <textarea className="field" value={value} onChange={(event) => onChange(event.target.value)} />
  </label>
);

const Choice = ({ label, value, options, onChange }: TextProps & { readonly options: readonly string[] }) => (
  <label className="entry">
    {label}
    <select className="field" value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((one) => (
        <option key={one} value={one}>
          {statusText(one)}
        </option>
      ))}
    </select>
  </label>
);

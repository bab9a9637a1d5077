import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Case, CaseCommand } from "../../../sdk/src/gen/operator";
import { command } from "../../app/command";
import { useOperator } from "../../app/data";
import { useMe, useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { statusText } from "../../text/status";
import { text } from "../../text/text";
import { CommandButton } from "../../ui/command-button";
import { Icon } from "../../ui/icon";
import { Id } from "../../ui/id";
import { Money } from "../../ui/money";
import { PageHead, Waiting } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { desk: words, case: own } = text;
const settleKinds =
  "AUTHORIZED CAPTURED SETTLED VOIDED REFUNDED COLLECTION_RETURNED CHARGED_BACK DECLINED PAID REJECTED PAYOUT_RETURNED CANCELLED REFUSED".split(
    " ",
  );
const steps = ["VOID", "REFUND", "CANCEL", "RELEASE"];

/** One case: what went wrong, its whole story, and the commands that put it right. */
export function CasePage() {
  const { caseId = "" } = usePath();
  const { data, error, refetch } = useOperator("GET /cases/{caseId}", { params: { caseId } }, { everyMs: 4_000 });
  const crumbs = <Link to="/desk/cases">{words.cases}</Link>;
  if (data === undefined) {
    return <Waiting name={own.title} crumbs={crumbs} error={error} retry={() => void refetch()} />;
  }
  const title = data.kinds.map(statusText).join(", ");
  return (
    <>
      <PageHead
        crumbs={crumbs}
        name={title}
        title={
          <span className="row">
            {title} <Status value={data.state} tone={data.state === "OPEN" ? "wait" : "good"} />
          </span>
        }
      >
        <Commands one={data} onDone={() => void refetch()} />
      </PageHead>
      <div className="two">
        <Notes one={data} />
        <aside className="card" aria-label={text.payment.facts}>
          <header>
            <h2>{text.payment.facts}</h2>
          </header>
          <div className="inside">
            <Pairs
              of={[
                [own.id, <Id key="i" value={data.caseId} />],
                [words.tenant, data.tenant],
                [words.provider, data.provider],
                [words.owner, data.owner ?? words.nobody],
                [
                  words.amounts,
                  data.amounts.length > 0 &&
                    data.amounts.map((amount) => <Money key={`${amount.currency} ${amount.total}`} {...amount} />),
                ],
                [words.opened, <Time key="o" at={data.openedAt} />],
                [own.closed, data.closedAt && <Time at={data.closedAt} />],
                [
                  text.payments.title,
                  data.paymentIds.length > 0 &&
                    data.paymentIds.map((id) => (
                      <div key={id}>
                        {data.tenant === null ? (
                          <Id value={id} />
                        ) : (
                          <Link to={`/desk/payments/${data.tenant}/${id}`}>{id.slice(0, 8)}…</Link>
                        )}
                      </div>
                    )),
                ],
              ]}
            />
          </div>
        </aside>
      </div>
    </>
  );
}

const Notes = ({ one }: { readonly one: Case }) => (
  <section className="card" aria-label={own.story}>
    <header>
      <h2>{own.story}</h2>
    </header>
    <ol className="story inside">
      {one.notes.map(({ at, author, approver, text: note, command, evidence }, index) => (
        <li key={`${at ?? ""} ${String(index)}`}>
          <span className={`dot ${command === null ? "wait" : "good"}`}>
            <Icon name={command === null ? "alert" : "check"} />
          </span>
          <div className="what">
            <b>{note}</b>
            <div className="small quiet">
              {author}
              {approver !== null && own.with(approver)}
              {command !== null && ` · ${command}`}
            </div>
            {evidence !== null && evidence !== "" && <pre className="evidence">{evidence}</pre>}
          </div>
          <span className="when">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ol>
  </section>
);

/** What may be done with an open case. Each decision has an id of its own: sent twice it is one. */
function Commands({ one, onDone }: { readonly one: Case; readonly onDone: () => void }) {
  const { may } = useSession();
  const { userId, name } = useMe();
  const [commandId, setCommandId] = useState(() => crypto.randomUUID());
  const [note, setNote] = useState("");
  const [evidence, setEvidence] = useState("");
  const [kind, setKind] = useState(settleKinds[0] ?? "");
  const [step, setStep] = useState(steps[0] ?? "");
  if (!may("cases:command") || one.state !== "OPEN") return null;
  const [paymentId] = one.paymentIds;
  const about = paymentId === undefined ? {} : { paymentId };
  const send = (what: object) => async () => {
    const proof = evidence === "" ? {} : { evidence };
    const body = { commandId, note, ...proof, ...what } as CaseCommand;
    return command("POST /cases/{caseId}/commands", { params: { caseId: one.caseId }, body });
  };
  const done = (): void => {
    setCommandId(crypto.randomUUID());
    setNote("");
    onDone();
  };
  const why = <Why note={note} setNote={setNote} evidence={evidence} setEvidence={setEvidence} />;
  return (
    <>
      <CommandButton
        label={own.assign}
        title={own.assignAsk}
        run={send({ command: "assign", owner: name ?? userId })}
        onDone={done}
      >
        {why}
      </CommandButton>
      <CommandButton label={own.ask} title={own.askAsk} run={send({ command: "askProvider", ...about })} onDone={done}>
        {why}
      </CommandButton>
      <CommandButton
        label={own.settle}
        title={own.settleAsk}
        run={send({ command: "settleStep", kind, ...about })}
        onDone={done}
      >
        <Choice label={own.happened} value={kind} options={settleKinds} onChange={setKind} />
        {why}
      </CommandButton>
      <CommandButton
        label={own.begin}
        title={own.beginAsk}
        isDanger
        run={send({ command: "beginStep", step, ...about })}
        onDone={done}
      >
        <Choice label={own.step} value={step} options={steps} onChange={setStep} />
        {why}
      </CommandButton>
      <CommandButton
        label={own.close}
        title={own.closeAsk}
        className="button main"
        run={send({ command: "close" })}
        onDone={done}
      >
        {why}
      </CommandButton>
    </>
  );
}

interface WhyProps {
  readonly note: string;
  readonly setNote: (note: string) => void;
  readonly evidence: string;
  readonly setEvidence: (evidence: string) => void;
}

const Why = ({ note, setNote, evidence, setEvidence }: WhyProps) => (
  <>
    <label className="entry">
      {own.note}
      <textarea className="field" value={note} onChange={(event) => setNote(event.target.value)} />
    </label>
    <label className="entry">
      {own.evidence}
      <textarea className="field" value={evidence} onChange={(event) => setEvidence(event.target.value)} />
    </label>
  </>
);

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
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

import { Link } from "@tanstack/react-router";
import type { Case, StatementDifference } from "../../../sdk/src/gen/operator";
import { useOperator } from "../../app/data";
import { usePath } from "../../app/use-path";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { Icon } from "../../ui/icon";
import { Id } from "../../ui/id";
import { Money } from "../../ui/money";
import { PageHead } from "../../ui/page";
import { FactsCard, Pairs } from "../../ui/pairs";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";
import { Waiting } from "../../ui/waiting";
import { CaseCommands } from "./commands";

const { desk: words, case: own } = operatorText;
/** One case: what went wrong, its full history, and the commands that resolve it. */
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
        <CaseCommands one={data} onDone={() => void refetch()} />
      </PageHead>
      <div className="two">
        <div>
          {data.differences.map((difference) => (
            <Difference key={`${difference.breakId} ${difference.foundAt ?? ""}`} one={difference} />
          ))}
          <Notes one={data} />
        </div>
        <FactsCard
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
              tenantText.payments.title,
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
    </>
  );
}

const Difference = ({ one }: { readonly one: StatementDifference }) => (
  <section className="card" aria-label={own.differences}>
    <header>
      <h2>{own.differences}</h2>
      <Status value={one.class} tone="wait" />
    </header>
    <div className="inside">
      <Pairs
        of={[
          [own.ours, one.ours === null ? own.nothing : <Money key="o" {...one.ours} />],
          [own.theirs, one.theirs === null ? own.nothing : <Money key="t" {...one.theirs} />],
          [words.provider, one.provider],
          [own.leg, one.leg !== null && statusText(one.leg)],
          [own.lines, one.lineIds.length > 0 && one.lineIds.map((id) => <Id key={id} value={id} />)],
          [own.entries, one.entryIds.length > 0 && one.entryIds.map((id) => <Id key={id} value={id} />)],
        ]}
      />
    </div>
  </section>
);

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

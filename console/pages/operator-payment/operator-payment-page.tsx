import { Link, useSearch } from "@tanstack/react-router";
import type { OperatorListedPayment, OperatorPaymentTimeline } from "../../../sdk/src/gen/operator";
import { command } from "../../app/command";
import { useOperator } from "../../app/data";
import type { Search } from "../../app/search";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { CommandButton } from "../../ui/command-button";
import { Id } from "../../ui/id";
import { Money } from "../../ui/money";
import { Empty, Loading, PageHead } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { Postings } from "../../ui/postings";
import { ProblemNote } from "../../ui/problem-note";
import { Raw } from "../../ui/raw";
import { Status } from "../../ui/status";
import { Story } from "../../ui/story-list";
import { Table } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { Time } from "../../ui/time";
import { Track } from "../../ui/track";

const { payment: words } = tenantText;
const { desk } = operatorText;
const everyMs = 4_000;

/** A payment of any tenant, with the providers' messages about it and the cases that a person had to resolve. */
export function OperatorPaymentPage() {
  const { tenant = "", paymentId = "" } = usePath();
  const { tab = "timeline" }: Search = useSearch({ strict: false });
  const params = { tenant, paymentId };
  const payment = useOperator("GET /tenants/{tenant}/payments/{paymentId}", { params }, { everyMs });
  const timeline = useOperator("GET /tenants/{tenant}/payments/{paymentId}/timeline", { params }, { everyMs });
  const error = payment.error ?? timeline.error;
  const crumbs = <Link to="/desk/payments">{tenantText.payments.title}</Link>;
  if (payment.data === undefined || timeline.data === undefined) {
    return (
      <>
        <PageHead title={words.at} name={words.at} crumbs={crumbs} />
        {error === null ? <Loading /> : <ProblemNote error={error} retry={() => void payment.refetch()} />}
      </>
    );
  }
  const { payment: facts, capturedAmount, refundedAmount } = payment.data;
  const { currency } = facts.amount;
  const tabs = [
    ["timeline", words.timeline],
    ["postings", words.postings],
    ["facts", desk.facts],
    ["cases", desk.cases],
    ["raw", words.raw],
  ] as const;
  return (
    <>
      <PageHead
        crumbs={crumbs}
        name={facts.externalPaymentId}
        title={
          <span className="row">
            <span className="sum">
              <Money {...facts.amount} />
            </span>
            <Status value={facts.status} />
          </span>
        }
      >
        <Commands facts={facts} onDone={() => void payment.refetch()} />
      </PageHead>
      <div className="stack">
        <Track states={timeline.data.states} title={words.track} />
        <div>
          <Tabs label={words.tabs} tabs={tabs} chosen={tab} />
          <div className="two">
            <Part tab={tab} timeline={timeline.data} raw={payment.data} />
            <aside className="card" aria-label={words.facts}>
              <header>
                <h2>{words.facts}</h2>
              </header>
              <div className="inside">
                <Pairs
                  of={[
                    [desk.tenant, facts.tenant],
                    [words.gets, facts.recipientAmount && <Money {...facts.recipientAmount} />],
                    [words.captured, <Money key="c" total={capturedAmount} currency={currency} />],
                    [words.refunded, <Money key="r" total={refundedAmount} currency={currency} />],
                    [
                      words.to,
                      facts.recipient && `${facts.recipient.countryCode} ${statusText(facts.recipient.method)}`,
                    ],
                    [words.externalId, <Id key="e" value={facts.externalPaymentId} />],
                    [words.paymentId, <Id key="p" value={facts.paymentId} />],
                    [desk.due, facts.dueAt && <Time at={facts.dueAt} />],
                    [desk.escalated, facts.escalatedAt && <Time at={facts.escalatedAt} />],
                    [words.created, <Time key="t" at={facts.createdAt} />],
                  ]}
                />
              </div>
            </aside>
          </div>
        </div>
      </div>
    </>
  );
}

interface CommandsProps {
  readonly facts: OperatorListedPayment;
  readonly onDone: () => void;
}

/** An operator's decisions about a payment that waits for one. Everything else is done on its case. */
function Commands({ facts, onDone }: CommandsProps) {
  const { may } = useSession();
  const params = { tenant: facts.tenant, paymentId: facts.paymentId };
  const decide = (approve: boolean) => () =>
    command("POST /tenants/{tenant}/payments/{paymentId}/reversal", { params, body: { approve } });
  if (facts.transactionState === "PendingReversalApproval" && may("payments:reverse")) {
    return (
      <>
        <CommandButton label={desk.goOn} title={desk.goOnAsk} run={decide(false)} onDone={onDone}>
          <p className="quiet">{desk.goOnLead}</p>
        </CommandButton>
        <CommandButton label={desk.reverse} title={desk.reverseAsk} isDanger run={decide(true)} onDone={onDone}>
          <p className="quiet">{desk.reverseLead}</p>
        </CommandButton>
      </>
    );
  }
  if (facts.transactionState !== "PayoutHold" || !may("holds:reject")) return null;
  return (
    <CommandButton
      label={desk.reject}
      title={desk.rejectAsk}
      isDanger
      run={() => command("POST /tenants/{tenant}/payments/{paymentId}/hold/rejection", { params })}
      onDone={onDone}
    >
      <p className="quiet">{desk.rejectLead}</p>
    </CommandButton>
  );
}

interface PartProps {
  readonly tab: string;
  readonly timeline: OperatorPaymentTimeline;
  readonly raw: object;
}

function Part({ tab, timeline, raw }: PartProps) {
  if (tab === "postings") return <Postings postings={timeline.postings} />;
  if (tab === "raw") {
    return (
      <div className="stack">
        <Raw title={words.record} value={raw} />
        <Raw title={words.timeline} value={timeline} />
      </div>
    );
  }
  if (tab === "facts") return <Facts timeline={timeline} />;
  if (tab === "cases") {
    return (
      <div className="card">
        {timeline.cases.length === 0 ? (
          <Empty icon="case" title={desk.noCase} />
        ) : (
          <Table
            caption={desk.cases}
            rows={timeline.cases}
            keyOf={({ caseId }) => caseId}
            to={({ caseId }) => `/desk/cases/${caseId}`}
            columns={[
              { title: desk.what, cell: ({ kinds }) => kinds.map(statusText).join(", ") },
              { title: desk.state, cell: ({ state }) => <Status value={state} /> },
              { title: desk.opened, isEnd: true, cell: ({ openedAt }) => <Time at={openedAt} /> },
            ]}
          />
        )}
      </div>
    );
  }
  return <Story timeline={timeline} />;
}

const Facts = ({ timeline }: { readonly timeline: OperatorPaymentTimeline }) => (
  <div className="card">
    {timeline.facts.length === 0 ? (
      <Empty icon="info" title={desk.noFact} />
    ) : (
      <Table
        caption={desk.facts}
        rows={timeline.facts}
        keyOf={({ movementId, kind, provider }) => `${provider} ${kind} ${movementId}`}
        columns={[
          { title: desk.what, cell: ({ kind }) => statusText(kind) },
          { title: desk.provider, cell: ({ provider }) => provider },
          { title: desk.reference, isWide: true, cell: ({ reference }) => <Id value={reference} /> },
          { title: desk.learnt, isEnd: true, cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    )}
  </div>
);

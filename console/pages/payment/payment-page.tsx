import { Link, useSearch } from "@tanstack/react-router";
import type { ListedPayment, PaymentRecordV2, PaymentTimeline } from "../../../sdk/src/gen/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { Icon } from "../../ui/icon";
import { Id } from "../../ui/id";
import { Money } from "../../ui/money";
import { Loading, PageHead } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { Postings } from "../../ui/postings";
import { ProblemNote } from "../../ui/problem-note";
import { Raw } from "../../ui/raw";
import { Status } from "../../ui/status";
import { Story } from "../../ui/story-list";
import { Tabs } from "../../ui/tabs";
import { Time } from "../../ui/time";
import { Track } from "../../ui/track";
import { PaymentActions } from "./actions";
import { Deliveries } from "./deliveries";

const { payment: words } = tenantText;
const tabs = ["timeline", "postings", "deliveries", "raw"] as const;
const everyMs = 2_000;
const restAfterMs = 120_000;

/** A payment that has not changed for two minutes is polled less often, and so is a finished one, which may still be refunded. */
const paceOf = (moved: string | undefined): number =>
  moved !== undefined && Date.now() - Date.parse(moved) > restAfterMs ? 5 * everyMs : everyMs;

/** One payment on one page. */
export function PaymentPage() {
  const { externalId = "" } = usePath();
  const { tab = "timeline" }: Search = useSearch({ strict: false });
  const params = { externalId };
  const listed = useTenant(
    "GET /v2/payments",
    { query: { idPrefix: externalId, limit: 20 } },
    { everyMs, isTold: true },
  );
  const facts = listed.data?.payments.find((one) => one.externalPaymentId === externalId);
  const pace = { everyMs: () => paceOf(facts?.updatedAt), isTold: true };
  const { may } = useSession();
  // A person who may not see names reads what lists show.
  const record = useTenant("GET /v2/payment/{externalId}", { params }, { ...pace, isOn: may("payments:detail") });
  const timeline = useTenant("GET /v2/payment/{externalId}/timeline", { params }, pace);
  const again = (): void => {
    for (const query of [record, timeline, listed]) void query.refetch();
  };
  const crumbs = <Link to="/payments">{tenantText.payments.title}</Link>;
  if (timeline.data === undefined) {
    return (
      <>
        <PageHead title={words.at} name={words.at} crumbs={crumbs} />
        {timeline.error === null ? <Loading /> : <ProblemNote error={timeline.error} retry={again} />}
      </>
    );
  }
  return (
    <>
      <PageHead
        crumbs={crumbs}
        name={externalId}
        title={<Title facts={facts} record={record.data} externalId={externalId} />}
      >
        {facts !== undefined && record.data !== undefined && (
          <PaymentActions facts={facts} record={record.data} onDone={again} />
        )}
      </PageHead>
      <div className="stack">
        <Standing facts={facts} />
        <Track states={timeline.data.states} title={words.track} />
        <div>
          <Tabs label={words.tabs} tabs={tabs.map((one) => [one, words[one]])} chosen={tab} />
          <div className="two">
            <Part tab={tab} timeline={timeline.data} record={record.data} again={again} />
            <Facts facts={facts} record={record.data} timeline={timeline.data} />
          </div>
        </div>
      </div>
    </>
  );
}

interface TitleProps {
  readonly facts: ListedPayment | undefined;
  readonly record: PaymentRecordV2 | undefined;
  readonly externalId: string;
}

function Title({ facts, record, externalId }: TitleProps) {
  const status = facts?.status ?? record?.status;
  return (
    <span className="stack">
      <span className="row">
        <span className="sum">{facts === undefined ? externalId : <Money {...facts.amount} />}</span>
        {status !== undefined && <Status value={status} />}
      </span>
    </span>
  );
}

/** What the payment waits for, or why its outcome differs from the request. */
function Standing({ facts }: { readonly facts: ListedPayment | undefined }) {
  if (facts?.reasonMessage !== undefined) {
    return (
      <div className="note wait">
        <Icon name="info" />
        <div>
          <h2>{facts.reasonMessage}</h2>
          <p className="small">
            {words.move[facts.whoseMove ?? ""] ?? ""} <code>{facts.reasonCode}</code>
          </p>
        </div>
      </div>
    );
  }
  return null;
}

interface PartProps {
  readonly tab: string;
  readonly timeline: PaymentTimeline;
  readonly record: PaymentRecordV2 | undefined;
  readonly again: () => void;
}

function Part({ tab, timeline, record, again }: PartProps) {
  if (tab === "postings") return <Postings postings={timeline.postings} />;
  if (tab === "deliveries") return <Deliveries deliveries={timeline.webhookDeliveries} onDone={again} />;
  if (tab === "raw") {
    return (
      <div className="stack">
        {record !== undefined && <Raw title={words.record} value={record} />}
        <Raw title={words.timeline} value={timeline} />
      </div>
    );
  }
  return <Story timeline={timeline} />;
}

interface FactsProps {
  readonly facts: ListedPayment | undefined;
  readonly record: PaymentRecordV2 | undefined;
  readonly timeline: PaymentTimeline;
}

function Facts({ facts, record, timeline }: FactsProps) {
  const { currency = "" } = record ?? {};
  const some = (total: string | undefined) =>
    total === undefined || /^[0.]+$/.test(total) ? undefined : <Money total={total} currency={currency} />;
  const recipient = facts?.recipient ?? undefined;
  return (
    <aside className="card" aria-label={words.facts}>
      <header>
        <h2>{words.facts}</h2>
      </header>
      <div className="inside">
        <Pairs
          of={[
            [words.gets, facts?.recipientAmount ? <Money key="gets" {...facts.recipientAmount} /> : undefined],
            [words.captured, some(record?.capturedAmount)],
            [words.refunded, some(record?.refundedAmount)],
            [words.fees, feesOf(record)],
            [words.to, recipient && `${recipient.name ?? ""} ${recipient.countryCode}`],
            [words.account, recipient?.account && `${statusText(recipient.method)} ··${recipient.account}`],
            [words.sender, facts?.senderName],
            [words.type, facts && tenantText.payments.type[facts.paymentType]],
            [words.externalId, <Id key="id" value={timeline.externalPaymentId} />],
            [words.paymentId, <Id key="id" value={timeline.paymentId} />],
            [
              words.quote,
              facts?.fxId ? (
                <Link key="quote" to={`/quotes/${encodeURIComponent(facts.fxId)}`}>
                  {facts.fxId.slice(0, 8)}…
                </Link>
              ) : undefined,
            ],
            [words.created, facts && <Time key="created" at={facts.createdAt} />],
            [words.moved, facts && <Time key="moved" at={facts.updatedAt} />],
          ]}
        />
      </div>
    </aside>
  );
}

const feesOf = (record: PaymentRecordV2 | undefined) =>
  record === undefined || record.transactionFees.length === 0
    ? undefined
    : record.transactionFees.map(({ eventId, amount, dtCreated }) => (
        <div key={`${eventId} ${dtCreated}`}>
          <Money total={amount} currency={record.currency} /> <span className="quiet small">{statusText(eventId)}</span>
        </div>
      ));

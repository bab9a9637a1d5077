import { Link } from "@tanstack/react-router";
import { useTenant } from "../../app/data";
import { usePath } from "../../app/use-path";
import { tenantText } from "../../text/tenant-text";
import { Id } from "../../ui/id";
import { PageHead } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { Status } from "../../ui/status";
import { Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { Waiting } from "../../ui/waiting";

const { quotes: words } = tenantText;

/** One quote: what it promises, and how the rate was composed. */
export function QuotePage() {
  const { fxId = "" } = usePath();
  const { data, error, refetch } = useTenant("GET /v2/foreign-exchange/{fxId}", { params: { fxId } });
  const crumbs = <Link to="/quotes">{words.title}</Link>;
  if (data === undefined) {
    return <Waiting name={words.quote} crumbs={crumbs} error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <PageHead
        name={words.quote}
        crumbs={crumbs}
        title={
          <span className="row">
            <span className="sum">
              {words.is(data.sourceCurrencyCode, data.conversionRate, data.destinationCurrencyCode)}
            </span>
            <Status value={data.status} tone={data.status === "EXPIRED" ? "off" : "good"} />
          </span>
        }
      />
      <div className="stack">
        <section className="card" aria-label={words.quote}>
          <div className="inside">
            <Pairs
              of={[
                [words.columns.id, <Id key="id" value={data.fxId} />],
                [
                  words.mid,
                  <span key="m" className="number">
                    {data.midRate}
                  </span>,
                ],
                [words.margin, words.points(data.marginBps)],
                [words.source, data.rateSource],
                [words.day, data.rateDate],
                [words.columns.made, <Time key="c" at={data.createdAt} />],
                [words.until, <Time key="u" at={data.quoteIdExpiryDateTime} />],
                [words.payment, data.paymentId && <Id value={data.paymentId} />],
              ]}
            />
          </div>
        </section>
        {data.rates.length > 0 && (
          <section className="card" aria-label={words.legs}>
            <header>
              <h2>{words.legs}</h2>
            </header>
            <Table
              caption={words.legs}
              rows={data.rates}
              keyOf={({ currency }) => currency}
              columns={[
                { title: words.columns.currency, cell: ({ currency }) => currency },
                { title: words.perUsd, isEnd: true, cell: ({ perUsd }) => <span className="number">{perUsd}</span> },
                { title: words.readings, isEnd: true, cell: ({ readings }) => readings.length },
              ]}
            />
          </section>
        )}
      </div>
    </>
  );
}

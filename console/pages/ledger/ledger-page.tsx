import { useNavigate, useSearch } from "@tanstack/react-router";
import type { OperatorInput } from "../../app/api";
import { useOperator } from "../../app/data";
import type { Search } from "../../app/search";
import { useSession } from "../../app/session";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { amountText } from "../../ui/amount-text";
import { Filters } from "../../ui/filters";
import { Icon } from "../../ui/icon";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Money } from "../../ui/money";
import { Empty, Loading, PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Table } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { Time } from "../../ui/time";
import { Verify } from "./verify";

const { ledger: words } = operatorText;

/** The books: the balance of every account, and the entries that led to it. */
export function LedgerPage() {
  const search: Search = useSearch({ strict: false });
  const { may } = useSession();
  const tab = search["tab"] ?? "balance";
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead}>
        {may("ledger:verify") && <Verify />}
      </PageHead>
      <Tabs
        label={words.title}
        tabs={[
          ["balance", words.balance],
          ["entries", words.entries],
          ["breaks", words.breaks],
        ]}
        chosen={tab}
      />
      {tab === "entries" ? <Entries search={search} /> : tab === "breaks" ? <Breaks /> : <Balance search={search} />}
    </>
  );
}

/** The sums of all accounts. Each sum must be zero. */
function Balance({ search }: { readonly search: Search }) {
  const navigate = useNavigate();
  const day = search["asOf"];
  const query = day === undefined ? {} : { asOf: `${day}T23:59:59.999Z` };
  const { data, error, refetch } = useOperator("GET /ledger/trial-balance", { query }, { everyMs: 10_000 });
  const isWhole = data?.totals.every(({ amount }) => /^-?[0.]+$/.test(amount)) ?? true;
  return (
    <>
      <Filters
        filters={[{ name: "asOf", label: words.asOf, type: "date" }]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      {error !== null && <ProblemNote error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading />
      ) : (
        <div className="stack">
          <div className={`note ${isWhole ? "good" : "bad"}`}>
            <Icon name={isWhole ? "check" : "alert"} />
            <div>
              <h2>{isWhole ? words.whole : words.broken}</h2>
              <p className="small">{words.sums(data.totals.length, data.accounts.length)}</p>
            </div>
          </div>
          <div className="card">
            {data.accounts.length === 0 ? (
              <Empty icon="ledger" title={words.none} />
            ) : (
              <Table
                caption={words.balance}
                rows={data.accounts}
                keyOf={({ path, asset }) => `${path} ${asset}`}
                to={({ path, asset }) =>
                  `/desk/ledger?tab=entries&account=${encodeURIComponent(path)}&currency=${asset}`
                }
                columns={[
                  { title: words.account, cell: ({ path }) => <code>{path}</code> },
                  {
                    title: words.holds,
                    isEnd: true,
                    cell: ({ amount, asset }) => <Money total={amount} currency={asset} />,
                  },
                ]}
              />
            )}
          </div>
        </div>
      )}
    </>
  );
}

function Entries({ search }: { readonly search: Search }) {
  const navigate = useNavigate();
  const { account, currency, paymentId, after } = search;
  const isAsked = account !== undefined || paymentId !== undefined;
  const query = {
    account,
    currency: account === undefined ? undefined : currency,
    paymentId,
    after,
    limit: 50,
  } as NonNullable<OperatorInput<"GET /ledger/entries">["query"]>;
  const page = useOperator("GET /ledger/entries", { query }, { isOn: isAsked });
  return (
    <>
      <Filters
        filters={[
          { name: "account", label: words.account },
          { name: "currency", label: words.currency },
          { name: "paymentId", label: words.payment },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: { ...values, tab: "entries" } })}
      />
      {isAsked ? (
        <List
          query={page}
          rows={({ entries }) => entries}
          next={({ next }) => next}
          after={after}
          caption={words.entries}
          keyOf={({ entryId }) => entryId}
          empty={<Empty icon="ledger" title={words.noEntry} />}
          columns={[
            {
              title: words.entry,
              cell: ({ kind, label, entryId }) => (
                <>
                  {statusText(label ?? kind)} <Id value={entryId} />
                </>
              ),
            },
            {
              title: words.moves,
              cell: ({ moves }) =>
                moves.map((move) => (
                  <div key={`${move.account} ${move.line} ${move.currency} ${move.minor}`} className="row">
                    <code>{move.account}</code>
                    <span className="quiet small">
                      {move.currency} {amountText(move.minor, "XAU")} {words.minor}
                    </span>
                  </div>
                )),
            },
            { title: words.posted, isEnd: true, isWide: true, cell: ({ at }) => <Time at={at} /> },
          ]}
        />
      ) : (
        <div className="card">
          <Empty icon="ledger" title={words.choose}>
            <p>{words.chooseLead}</p>
          </Empty>
        </div>
      )}
    </>
  );
}

/** Differences between a provider's statement and our books. */
function Breaks() {
  const page = useOperator("GET /ledger/breaks", { query: { limit: 50 } }, { everyMs: 10_000 });
  return (
    <List
      query={page}
      rows={({ breaks }) => breaks}
      caption={words.breaks}
      keyOf={({ breakId }) => breakId}
      empty={
        <Empty icon="check" title={words.noBreak}>
          <p>{words.noBreakLead}</p>
        </Empty>
      }
      columns={[
        { title: words.break, cell: (one) => statusText(one.class) },
        { title: words.provider, cell: ({ provider }) => provider },
        { title: words.detail, isWide: true, cell: ({ detail }) => detail },
        { title: words.found, isEnd: true, cell: ({ foundAt }) => <Time at={foundAt} /> },
      ]}
    />
  );
}

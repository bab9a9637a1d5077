import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { ListedPayment } from "../../../sdk/src/gen/api";
import { addressOf, saveCsv, type TenantInput } from "../../app/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { useSession } from "../../app/session";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { text } from "../../text/text";
import { chosenOf, type Filter, Filters } from "../../ui/filters";
import { Icon } from "../../ui/icon";
import { List } from "../../ui/list";
import { Money } from "../../ui/money";
import { Empty, PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { SavedViews } from "../../ui/saved-views";
import { Status } from "../../ui/status";
import type { Column } from "../../ui/table";
import { Time } from "../../ui/time";

const { payments: words } = tenantText;
const statuses = ["PENDING", "AUTHORIZED", "CAPTURED", "REFUNDED", "VOIDED", "DECLINED", "ERROR"];
const methods = ["BANK_DEPOSIT", "WALLET", "PIX", "CARD"];
const everyMs = 4_000;

const named = (values: readonly string[]): readonly (readonly [string, string])[] =>
  values.map((value) => [value, statusText(value)]);

const filters: readonly Filter[] = [
  { name: "status", label: words.filter.status, options: named(statuses) },
  { name: "type", label: words.filter.type, options: Object.entries(words.type) },
  { name: "method", label: words.filter.method, options: named(methods) },
  { name: "country", label: words.filter.country },
  { name: "currency", label: words.filter.currency },
  { name: "from", label: words.filter.from, type: "date" },
  { name: "until", label: words.filter.until, type: "date" },
  { name: "idPrefix", label: words.filter.id },
];

/** Only people who may see names read a payment's record. */
const columns: readonly Column<ListedPayment>[] = [
  {
    title: words.columns.id,
    cell: ({ externalPaymentId, paymentType }) => (
      <>
        <code>{externalPaymentId}</code>
        <span className="under">{words.type[paymentType]}</span>
      </>
    ),
  },
  {
    title: words.columns.status,
    cell: ({ status, transactionState }) => (
      <>
        <Status value={status} />
        <span className="under wide-only">{statusText(transactionState)}</span>
      </>
    ),
  },
  {
    title: words.columns.to,
    isWide: true,
    cell: ({ recipient }) =>
      recipient === null ? (
        <span className="quiet">{words.self}</span>
      ) : (
        <>
          {recipient.name ?? recipient.countryCode}
          <span className="under">
            {recipient.countryCode} · {statusText(recipient.method)}
            {recipient.account === undefined ? "" : ` ··${recipient.account}`}
          </span>
        </>
      ),
  },
  { title: words.columns.amount, isEnd: true, cell: ({ amount }) => <Money {...amount} /> },
  {
    title: words.columns.pays,
    isEnd: true,
    isWide: true,
    cell: ({ recipientAmount }) => (recipientAmount === null ? null : <Money {...recipientAmount} />),
  },
  { title: words.columns.created, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The tenant's payments. The filters are in the address. */
export function PaymentsPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { may } = useSession();
  const query = { ...search, limit: 50 } as NonNullable<TenantInput<"GET /v2/payments">["query"]>;
  const page = useTenant("GET /v2/payments", { query }, { everyMs, isTold: true });
  const chosen = chosenOf(filters, search);
  const isFiltered = Object.keys(chosen).length > 0;
  const mayPay = may("payments:create");
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead}>
        <SaveCsv search={search} />
        {mayPay && (
          <Link to="/payouts/new" className="button main">
            <Icon name="payout" />
            {words.new}
          </Link>
        )}
      </PageHead>
      <Filters filters={filters} values={search} onChange={(values) => void navigate({ to: ".", search: values })} />
      <SavedViews list="payments" values={chosen} />
      <List
        query={page}
        rows={({ payments }) => payments}
        next={({ next }) => next}
        after={search["after"]}
        caption={words.list}
        columns={columns}
        keyOf={({ paymentId }) => paymentId}
        to={({ externalPaymentId }) => `/payments/${encodeURIComponent(externalPaymentId)}`}
        empty={
          <Empty
            icon="payments"
            title={words.none}
            {...(isFiltered ? {} : { command: "corridor schema BRA --example > payout.json" })}
          >
            <p>{isFiltered ? words.noneLike : words.noneAtAll}</p>
          </Empty>
        }
      />
    </>
  );
}

/** All payments that match the filters, as a file. */
function SaveCsv({ search }: { readonly search: Search }) {
  const [error, setError] = useState<unknown>();
  const { after: _, ...filtered } = search;
  const { path } = addressOf("GET /v2/payments", { query: filtered });
  const save = async (): Promise<void> => {
    setError(undefined);
    await saveCsv(path, "payments.csv").catch(setError);
  };
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      <button type="button" className="button" onClick={() => void save()}>
        <Icon name="download" />
        {text.csv}
      </button>
    </>
  );
}

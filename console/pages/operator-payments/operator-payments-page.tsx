import { useNavigate, useSearch } from "@tanstack/react-router";
import type { OperatorInput } from "../../app/api";
import { useOperator } from "../../app/data";
import type { Search } from "../../app/search";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { chosenOf, type Filter, Filters } from "../../ui/filters";
import { List } from "../../ui/list";
import { Money } from "../../ui/money";
import { Empty, PageHead } from "../../ui/page";
import { SavedViews } from "../../ui/saved-views";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { payments: shared } = tenantText;
const { desk: words } = operatorText;
const statuses = ["PENDING", "AUTHORIZED", "CAPTURED", "REFUNDED", "VOIDED", "DECLINED", "ERROR"];
const everyMs = 5_000;

const filters: readonly Filter[] = [
  { name: "tenant", label: words.tenant },
  {
    name: "status",
    label: shared.filter.status,
    options: statuses.map((value) => [value, statusText(value)] as const),
  },
  { name: "stuck", label: words.needs, options: [["true", words.person]] },
  { name: "overdue", label: words.late, options: [["true", words.yes]] },
  { name: "held", label: words.held, options: [["true", words.yes]] },
  { name: "country", label: shared.filter.country },
  { name: "currency", label: shared.filter.currency },
  { name: "idPrefix", label: shared.filter.id },
];

/** Payments of all tenants, or those that a person has stopped. */
export function OperatorPaymentsPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const isHeld = search["held"] === "true";
  return (
    <>
      <PageHead title={shared.title} name={shared.title} lead={words.paymentsLead} />
      <Filters filters={filters} values={search} onChange={(values) => void navigate({ to: ".", search: values })} />
      <SavedViews list="desk-payments" values={chosenOf(filters, search)} />
      {isHeld ? <Holds after={search["after"]} /> : <Payments search={search} />}
    </>
  );
}

const none = (
  <Empty icon="payments" title={shared.none}>
    <p>{words.noneLike}</p>
  </Empty>
);

const addressOf = ({ tenant, paymentId }: { readonly tenant: string; readonly paymentId: string }): string =>
  `/desk/payments/${encodeURIComponent(tenant)}/${paymentId}`;

function Payments({ search }: { readonly search: Search }) {
  const query = { ...search, limit: 50 } as NonNullable<OperatorInput<"GET /payments">["query"]>;
  const page = useOperator("GET /payments", { query }, { everyMs });
  return (
    <List
      query={page}
      rows={({ payments }) => payments}
      next={({ next }) => next}
      after={search["after"]}
      caption={shared.list}
      keyOf={({ paymentId }) => paymentId}
      to={addressOf}
      empty={none}
      columns={[
        {
          title: shared.columns.id,
          cell: ({ externalPaymentId, paymentType }) => (
            <>
              <code>{externalPaymentId}</code>
              <span className="under">{shared.type[paymentType]}</span>
            </>
          ),
        },
        { title: words.tenant, isWide: true, cell: ({ tenant }) => tenant },
        {
          title: shared.columns.status,
          cell: ({ status, transactionState }) => (
            <>
              <Status value={status} />
              <span className="under wide-only">{statusText(transactionState)}</span>
            </>
          ),
        },
        { title: shared.columns.amount, isEnd: true, cell: ({ amount }) => <Money {...amount} /> },
        {
          title: words.escalated,
          isWide: true,
          cell: ({ escalatedAt }) => (escalatedAt === null ? null : <Time at={escalatedAt} />),
        },
        { title: shared.columns.created, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

function Holds({ after }: { readonly after: string | undefined }) {
  const query = { limit: 50, ...(after === undefined ? {} : { after }) };
  const page = useOperator("GET /holds", { query }, { everyMs });
  return (
    <List
      query={page}
      rows={({ holds }) => holds}
      next={({ next }) => next}
      after={after}
      caption={words.held}
      keyOf={({ paymentId }) => paymentId}
      to={addressOf}
      empty={none}
      columns={[
        { title: shared.columns.id, cell: ({ externalPaymentId }) => <code>{externalPaymentId}</code> },
        { title: words.tenant, isWide: true, cell: ({ tenant }) => tenant },
        { title: words.why, cell: ({ kind }) => words.hold[kind] ?? statusText(kind) },
        { title: shared.columns.amount, isEnd: true, cell: ({ amount }) => <Money {...amount} /> },
        { title: shared.columns.created, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { callTenant, type TenantInput } from "../../app/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { Filters } from "../../ui/filters";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Time } from "../../ui/time";

const { quotes: words } = tenantText;

/** The quotes with their rates, and a form for a new one. */
export function QuotesPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { may } = useSession();
  const query = { ...search, limit: 50 } as NonNullable<TenantInput<"GET /v2/foreign-exchange">["query"]>;
  const page = useTenant("GET /v2/foreign-exchange", { query }, { everyMs: 10_000 });
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      {may("quotes:create") && <Ask onDone={() => void page.refetch()} />}
      <Filters
        filters={[
          { name: "source", label: words.columns.from },
          { name: "destination", label: words.columns.to },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      <List
        query={page}
        rows={({ quotes }) => quotes}
        next={({ next }) => next}
        after={search["after"]}
        caption={words.title}
        keyOf={({ fxId }) => fxId}
        to={({ fxId }) => `/quotes/${fxId}`}
        empty={
          <Empty icon="quote" title={words.none} command="corridor quote USD BRL --country BRA">
            <p>{words.noneLead}</p>
          </Empty>
        }
        columns={[
          {
            title: words.columns.pair,
            cell: ({ sourceCurrencyCode, destinationCurrencyCode }) =>
              `${sourceCurrencyCode} → ${destinationCurrencyCode}`,
          },
          {
            title: words.columns.rate,
            isEnd: true,
            cell: ({ conversionRate }) => <span className="number">{conversionRate}</span>,
          },
          {
            title: words.columns.state,
            cell: ({ isExpired }) => (
              <span className={`pill ${isExpired ? "" : "good"}`}>{isExpired ? words.expired : words.holds}</span>
            ),
          },
          { title: words.columns.id, isWide: true, cell: ({ fxId }) => <Id value={fxId} /> },
          { title: words.columns.made, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </>
  );
}

function Ask({ onDone }: { readonly onDone: () => void }) {
  const [source, setSource] = useState("USD");
  const [target, setTarget] = useState("BRL");
  const asking = useMutation({
    mutationFn: () =>
      callTenant("POST /v2/foreign-exchange", {
        body: {
          sourceCurrencyCode: source.trim().toUpperCase(),
          destinationCurrencyCode: target.trim().toUpperCase(),
          paymentMethod: "BANK_ACCOUNT",
        },
      }),
    onSuccess: onDone,
  });
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    asking.mutate();
  };
  return (
    <form className="card stack asking" onSubmit={ask}>
      <div className="row">
        <label className="row">
          {words.ask}
          <input
            className="field code"
            value={source}
            onChange={(event) => setSource(event.target.value)}
            maxLength={3}
          />
        </label>
        <label className="row">
          {words.in}
          <input
            className="field code"
            value={target}
            onChange={(event) => setTarget(event.target.value)}
            maxLength={3}
          />
        </label>
        <button type="submit" className="button main" disabled={asking.isPending}>
          {words.get}
        </button>
        <output aria-live="polite" className="number">
          {asking.data !== undefined &&
            words.is(asking.data.sourceCurrencyCode, asking.data.conversionRate, asking.data.destinationCurrencyCode)}
        </output>
      </div>
      {asking.error !== null && <ProblemNote error={asking.error} />}
    </form>
  );
}

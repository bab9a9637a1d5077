import { Link, useSearch } from "@tanstack/react-router";
import type { StatementEntry } from "../../../sdk/src/gen/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { usePath } from "../../app/use-path";
import { tenantText } from "../../text/tenant-text";
import { text } from "../../text/text";
import { Id } from "../../ui/id";
import { Money } from "../../ui/money";
import { Empty, Loading, PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Status } from "../../ui/status";
import { Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { BalanceLine } from "./balance-line";

const { wallets: words } = tenantText;
const size = 100;

/** One wallet: its balance, and every movement that led to it. */
export function WalletPage() {
  const { walletId = "" } = usePath();
  const search: Search = useSearch({ strict: false });
  const page = Number.parseInt(search["page"] ?? "0", 10) || 0;
  const params = { walletId };
  const everyMs = 5_000;
  const wallet = useTenant("GET /wallets/{walletId}", { params }, { everyMs });
  const balance = useTenant("GET /wallets/{walletId}/balance", { params }, { everyMs });
  const statement = useTenant("GET /wallets/{walletId}/statement", { params, query: { page, size } }, { everyMs });
  const error = wallet.error ?? balance.error ?? statement.error;
  const crumbs = <Link to="/wallets">{words.title}</Link>;
  if (wallet.data === undefined || balance.data === undefined || statement.data === undefined) {
    return (
      <>
        <PageHead title={words.wallet} name={words.wallet} crumbs={crumbs} />
        {error === null ? <Loading /> : <ProblemNote error={error} retry={() => void wallet.refetch()} />}
      </>
    );
  }
  const { ownerId, accountAsset, status } = wallet.data;
  const { entries, totalEntries } = statement.data;
  return (
    <>
      <PageHead
        name={ownerId}
        crumbs={crumbs}
        title={
          <span className="row">
            {ownerId} <Status value={status} />
          </span>
        }
      >
        <Id value={walletId} />
      </PageHead>
      <div className="figures">
        <Figure name={words.available} total={balance.data.availableBalance} asset={accountAsset} />
        <Figure name={words.held} total={balance.data.heldBalance} asset={accountAsset} />
        <Figure name={words.total} total={balance.data.totalBalance} asset={accountAsset} />
      </div>
      {entries.length === 0 ? (
        <div className="card">
          <Empty icon="wallet" title={words.noEntries}>
            <p>{words.noEntriesLead}</p>
          </Empty>
        </div>
      ) : (
        <div className="stack">
          {entries.length > 1 && <BalanceLine entries={entries} />}
          <div className="card">
            <Statement entries={entries} asset={accountAsset} />
          </div>
          <Pages page={page} last={Math.ceil(totalEntries / size) - 1} />
        </div>
      )}
    </>
  );
}

const Figure = ({ name, total, asset }: { readonly name: string; readonly total: string; readonly asset: string }) => (
  <div className="card figure">
    <span className="quiet small">{name}</span>
    <b>
      <Money total={total} currency={asset} />
    </b>
  </div>
);

const Statement = ({ entries, asset }: { readonly entries: readonly StatementEntry[]; readonly asset: string }) => (
  <Table
    caption={words.statement}
    rows={entries}
    keyOf={({ transactionId, type }) => `${transactionId} ${type}`}
    columns={[
      {
        title: words.columns.movement,
        cell: ({ externalId, transactionId }) => <Id value={externalId ?? transactionId} />,
      },
      { title: words.columns.text, isWide: true, cell: ({ description }) => description ?? "" },
      {
        title: words.columns.amount,
        isEnd: true,
        cell: ({ type, amount }) => <Money total={type === "DEBIT" ? `-${amount}` : amount} currency={asset} />,
      },
      {
        title: words.columns.after,
        isEnd: true,
        cell: ({ balanceAfter }) => <Money total={balanceAfter} currency={asset} />,
      },
      { title: words.columns.when, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ]}
  />
);

function Pages({ page, last }: { readonly page: number; readonly last: number }) {
  if (last <= 0) return null;
  return (
    <nav className="row" aria-label={text.table.pages}>
      {page > 0 && (
        <Link className="button" to="." search={{ page: String(page - 1) }}>
          {words.earlier}
        </Link>
      )}
      {page < last && (
        <Link className="button" to="." search={{ page: String(page + 1) }}>
          {words.later}
        </Link>
      )}
    </nav>
  );
}

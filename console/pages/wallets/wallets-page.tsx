import { useNavigate, useSearch } from "@tanstack/react-router";
import type { TenantInput } from "../../app/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { Filters } from "../../ui/filters";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { wallets: words } = tenantText;

/** The wallets of the tenant's customers. */
export function WalletsPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = { ...search, limit: 50 } as NonNullable<TenantInput<"GET /wallets">["query"]>;
  const page = useTenant("GET /wallets", { query }, { everyMs: 10_000 });
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      <Filters
        filters={[
          {
            name: "status",
            label: words.columns.state,
            options: ["ACTIVE", "FROZEN", "CLOSED"].map((value) => [value, statusText(value)] as const),
          },
          { name: "asset", label: words.columns.asset },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      <List
        query={page}
        rows={({ wallets }) => wallets}
        next={({ next }) => next}
        after={search["after"]}
        caption={words.title}
        keyOf={({ walletId }) => walletId}
        to={({ walletId }) => `/wallets/${walletId}`}
        empty={
          <Empty icon="wallet" title={words.none} command="corridor wallets create --asset USD --owner customer-1">
            <p>{words.noneLead}</p>
          </Empty>
        }
        columns={[
          { title: words.columns.owner, cell: ({ ownerId }) => ownerId },
          { title: words.columns.asset, cell: ({ accountAsset }) => accountAsset },
          { title: words.columns.state, cell: ({ status }) => <Status value={status} /> },
          { title: words.columns.type, isWide: true, cell: ({ type }) => type },
          { title: words.columns.id, isWide: true, cell: ({ walletId }) => <Id value={walletId} /> },
          { title: words.columns.since, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </>
  );
}

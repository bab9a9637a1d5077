import { Link } from "@tanstack/react-router";
import { command } from "../../app/command";
import { useOperator } from "../../app/data";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { operatorText } from "../../text/operator-text";
import { tenantText } from "../../text/tenant-text";
import { CommandButton } from "../../ui/command-button";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { tenants: words } = operatorText;

/** One tenant: its agents, clients and credentials, without secrets. */
export function TenantPage() {
  const { tenant = "" } = usePath();
  const { may } = useSession();
  const params = { tenant };
  const seesAccess = may("clients:read");
  const tenants = useOperator("GET /tenants", {});
  const clients = useOperator("GET /tenants/{tenant}/clients", { params }, { isOn: seesAccess });
  const credentials = useOperator("GET /tenants/{tenant}/credentials", { params }, { isOn: seesAccess });
  const one = tenants.data?.tenants.find((each) => each.tenant === tenant);
  const isDisabled = one?.isDisabled ?? false;
  return (
    <>
      <PageHead
        name={tenant}
        crumbs={<Link to="/desk/tenants">{words.title}</Link>}
        title={
          <span className="row">
            {tenant}
            {one !== undefined && <Status value={isDisabled ? "SUSPENDED" : "ACTIVE"} />}
          </span>
        }
      >
        <Link className="button" to="/desk/payments" search={{ tenant }}>
          {tenantText.payments.title}
        </Link>
        {may("tenants:manage") && one !== undefined && (
          <CommandButton
            label={isDisabled ? words.enable : words.disable}
            title={isDisabled ? words.enableAsk : words.disableAsk}
            isDanger={!isDisabled}
            run={() => command("PATCH /tenants/{tenant}", { params, body: { isDisabled: !isDisabled } })}
            onDone={() => void tenants.refetch()}
          >
            <p className="quiet">{isDisabled ? words.enableLead : words.disableLead}</p>
          </CommandButton>
        )}
      </PageHead>
      {seesAccess && (
        <div className="stack">
          <h2>{words.clients}</h2>
          <List
            query={clients}
            rows={(page) => page.clients}
            caption={words.clients}
            keyOf={({ clientId }) => clientId}
            empty={<Empty icon="key" title={words.noClient} />}
            columns={[
              { title: words.client, cell: ({ clientId }) => <Id value={clientId} isWhole /> },
              {
                title: words.state,
                cell: ({ disabledAt }) => <Status value={disabledAt === null ? "ACTIVE" : "SUSPENDED"} />,
              },
              { title: words.scopes, isWide: true, cell: ({ scopes }) => scopes.join(", ") },
            ]}
          />
          <h2>{words.credentials}</h2>
          <List
            query={credentials}
            rows={(page) => page.credentials}
            caption={words.credentials}
            keyOf={({ id }) => id}
            empty={<Empty icon="key" title={words.noCredential} />}
            columns={[
              { title: words.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
              { title: words.kind, cell: ({ kind }) => kind },
              { title: words.used, isEnd: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              { title: words.since, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        </div>
      )}
    </>
  );
}

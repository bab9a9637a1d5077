import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { OauthClient, OauthClients } from "../../../sdk/src/gen/api";
import { callTenant } from "../../app/api";
import { useMe, useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { ActionButton } from "../../ui/confirm";
import { Icon } from "../../ui/icon";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty } from "../../ui/page";
import { Status } from "../../ui/status";
import { ScopeBoxes } from "./scope-boxes";
import { type ClientScope, clientScopes } from "./scopes";

const { keys: words } = tenantText;

interface Props {
  readonly clients: UseQueryResult<OauthClients>;
  readonly onDone: () => void;
  readonly onMade: (secret: string) => void;
}

/** OAuth clients of the tenant. */
export function Clients({ clients, onDone, onMade }: Props) {
  const { may } = useSession();
  const canManage = may("credentials:manage");
  return (
    <section className="stack tight" aria-label={words.clients}>
      <div className="row">
        <h2>{words.clients}</h2>
        {canManage && <NewClient onDone={onDone} />}
      </div>
      <List
        query={clients}
        rows={(page) => page.clients}
        caption={words.clients}
        keyOf={({ clientId }) => clientId}
        empty={
          <Empty icon="key" title={words.noClient}>
            <p>{words.noClientLead}</p>
          </Empty>
        }
        columns={[
          { title: words.client, cell: ({ clientId }) => <Id value={clientId} isWhole /> },
          {
            title: words.state,
            cell: ({ disabledAt }) => <Status value={disabledAt === null ? "ACTIVE" : "SUSPENDED"} />,
          },
          { title: words.scopes, isWide: true, cell: ({ scopes }) => scopes.join(", ") },
          {
            title: "",
            isEnd: true,
            cell: (client) => canManage && <ClientActions client={client} onDone={onDone} onMade={onMade} />,
          },
        ]}
      />
    </section>
  );
}

function ClientActions({
  client: { clientId, disabledAt },
  onDone,
  onMade,
}: Omit<Props, "clients"> & { readonly client: OauthClient }) {
  const isOff = disabledAt !== null;
  return (
    <span className="row ends">
      <ActionButton
        label={words.newSecret}
        className="button small"
        title={words.newSecretAsk(clientId)}
        action={words.newSecret}
        run={async () => {
          const made = await callTenant("POST /organizations/{tenant}/credentials", {
            body: { kind: "secret", owner: clientId },
          });
          onMade(made.credential);
        }}
        onDone={onDone}
      >
        <p className="quiet">{words.newSecretLead}</p>
      </ActionButton>
      <ActionButton
        label={isOff ? words.enable : words.disable}
        className="button small"
        title={isOff ? words.enableAsk(clientId) : words.disableAsk(clientId)}
        action={isOff ? words.enable : words.disable}
        isDanger={!isOff}
        run={() =>
          callTenant("PATCH /organizations/{tenant}/clients/{clientId}", {
            params: { clientId },
            body: { isDisabled: !isOff },
          })
        }
        onDone={onDone}
      >
        <p className="quiet">{isOff ? words.enableLead : words.disableLead}</p>
      </ActionButton>
    </span>
  );
}

function NewClient({ onDone }: Pick<Props, "onDone">) {
  const tenant = useMe().tenants[0]?.tenant ?? "";
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly ClientScope[]>(["payments", "fx", "schemas"]);
  return (
    <ActionButton
      label={
        <>
          <Icon name="bolt" />
          {words.newClient}
        </>
      }
      title={words.newClient}
      action={words.newClient}
      run={() => callTenant("POST /organizations/{tenant}/clients", { body: { name, scopes: [...scopes] } })}
      onDone={() => {
        setName("");
        onDone();
      }}
    >
      <label className="entry">
        {words.clientName}
        <input
          className="field"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <p className="small quiet">{words.clientNameLead(tenant, name)}</p>
      <ScopeBoxes title={words.clientScopes} known={clientScopes} chosen={scopes} onChange={setScopes} />
    </ActionButton>
  );
}

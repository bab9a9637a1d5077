import { useState } from "react";
import type { Credential } from "../../../sdk/src/gen/api";
import { callTenant } from "../../app/api";
import { useTenant } from "../../app/data";
import { useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { ActionButton } from "../../ui/confirm";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { SecretOnce } from "../../ui/secret-once";
import { Time } from "../../ui/time";
import { useToast } from "../../ui/toast";
import { Clients } from "./clients";
import { NewKey } from "./new-key";
import { rotate } from "./rotate";

const { keys: words } = tenantText;

/** Credentials of the tenant's programs: created, rotated and revoked by the tenant's admin. */
export function KeysPage() {
  const { may } = useSession();
  const toast = useToast();
  const [secret, setSecret] = useState<string>();
  const clients = useTenant("GET /organizations/{tenant}/clients", {});
  const credentials = useTenant("GET /organizations/{tenant}/credentials", {}, { everyMs: 30_000 });
  const canManage = may("credentials:manage");
  const done = (): void => {
    toast(words.done);
    void Promise.all([clients.refetch(), credentials.refetch()]);
  };
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead}>
        {canManage && <NewKey onDone={done} onMade={setSecret} />}
      </PageHead>
      <div className="stack">
        <section className="stack tight" aria-label={words.credentials}>
          <h2>{words.credentials}</h2>
          <List
            query={credentials}
            rows={(page) => page.credentials}
            caption={words.credentials}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="key" title={words.none}>
                <p>{words.noneLead}</p>
              </Empty>
            }
            columns={[
              {
                title: words.prefix,
                cell: ({ prefix, kind }) => (
                  <>
                    <code>{prefix}…</code>
                    <span className="under">{words.kinds[kind] ?? kind}</span>
                  </>
                ),
              },
              { title: words.owner, isWide: true, cell: ({ owner }) => <Id value={owner} /> },
              { title: words.scopes, isWide: true, cell: ({ scopes }) => scopes?.join(", ") ?? words.everything },
              { title: words.used, isEnd: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              { title: words.since, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: words.until, isEnd: true, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              {
                title: "",
                isEnd: true,
                cell: (one) => canManage && <KeyActions one={one} onDone={done} onMade={setSecret} />,
              },
            ]}
          />
        </section>
        <Clients clients={clients} onDone={done} onMade={setSecret} />
      </div>
      {secret !== undefined && <SecretOnce value={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

interface ActionProps {
  readonly one: Credential;
  readonly onDone: () => void;
  readonly onMade: (secret: string) => void;
}

function KeyActions({ one, onDone, onMade }: ActionProps) {
  const toast = useToast();
  const begin = `${one.prefix}…`;
  return (
    <span className="row ends">
      <ActionButton
        label={words.rotate}
        className="button small"
        title={words.rotateAsk(begin)}
        action={words.rotate}
        run={async () => {
          const { secret, hasEnd } = await rotate(one);
          onMade(secret);
          if (!hasEnd) toast(words.notEnded);
        }}
        onDone={onDone}
      >
        <p className="quiet">{words.rotateLead}</p>
      </ActionButton>
      <ActionButton
        label={words.revoke}
        className="button small"
        title={words.revokeAsk(begin)}
        action={words.revoke}
        isDanger
        run={() =>
          callTenant("DELETE /organizations/{tenant}/credentials/{credentialId}", { params: { credentialId: one.id } })
        }
        onDone={onDone}
      >
        <p className="quiet">{words.revokeLead}</p>
      </ActionButton>
    </span>
  );
}

import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { WebhookSubscription } from "../../../sdk/src/gen/api";
import { callTenant, type TenantInput } from "../../app/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { ActionButton } from "../../ui/confirm";
import { Filters } from "../../ui/filters";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, Loading, PageHead } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { ProblemNote } from "../../ui/problem-note";
import { SecretOnce } from "../../ui/secret-once";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";
import { useToast } from "../../ui/toast";

const { webhooks: words } = tenantText;
const statuses = ["PENDING", "DELIVERED", "FAILED"];
const dayMs = 86_400_000;

/** One endpoint: its facts, its deliveries, and the actions that repair it. */
export function EndpointPage() {
  const { webhookId = "" } = usePath();
  const all = useTenant("GET /organizations/{tenant}/webhooks", {});
  const one = all.data?.webhooks.find(({ id }) => id === webhookId);
  const crumbs = <Link to="/webhooks">{words.title}</Link>;
  if (one === undefined) {
    return (
      <>
        <PageHead title={words.endpoint} name={words.endpoint} crumbs={crumbs} />
        {all.isPending && <Loading />}
        {all.error !== null && <ProblemNote error={all.error} retry={() => void all.refetch()} />}
        {all.data !== undefined && <Empty icon="webhook" title={words.gone} />}
      </>
    );
  }
  return (
    <>
      <PageHead title={one.url} name={one.url} crumbs={crumbs}>
        <EndpointActions one={one} onDone={() => void all.refetch()} />
      </PageHead>
      <div className="stack">
        <section className="card inside" aria-label={words.endpoint}>
          <div className="inside">
            <Pairs
              of={[
                [words.columns.state, <Status key="s" value={one.disabledAt === null ? "ACTIVE" : "FAILED"} />],
                [words.why, one.disabledReason],
                [words.id, <Id key="id" value={one.id} />],
                [words.fingerprint, one.secretFingerprint ?? words.unsigned],
                [words.publicKey, one.publicKey && <Id value={one.publicKey} />],
                [words.columns.since, <Time key="t" at={one.createdAt} />],
                [words.columns.events, one.events.join(", ")],
              ]}
            />
          </div>
        </section>
        <SentTo webhookId={webhookId} />
      </div>
    </>
  );
}

function SentTo({ webhookId }: { readonly webhookId: string }) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = { status: search["status"], after: search["after"], limit: 50 } as NonNullable<
    TenantInput<"GET /organizations/{tenant}/webhooks/{webhookId}/deliveries">["query"]
  >;
  const sent = useTenant(
    "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries",
    { params: { webhookId }, query },
    { everyMs: 4_000, isTold: true },
  );
  return (
    <section aria-label={words.deliveries}>
      <h2 className="unseen">{words.deliveries}</h2>
      <Filters
        filters={[
          {
            name: "status",
            label: words.columns.state,
            options: statuses.map((value) => [value, statusText(value)] as const),
          },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      <List
        query={sent}
        rows={({ deliveries }) => deliveries}
        next={({ next }) => next}
        after={search["after"]}
        caption={words.deliveries}
        keyOf={({ id }) => id}
        to={({ id }) => `/webhooks/${webhookId}/${id}`}
        empty={
          <Empty icon="webhook" title={words.nothingSent}>
            <p>{words.nothingSentLead}</p>
          </Empty>
        }
        columns={[
          { title: words.columns.event, cell: ({ event }) => event },
          { title: words.columns.state, cell: ({ status }) => <Status value={status} /> },
          { title: words.columns.about, isWide: true, cell: ({ subjectId }) => <Id value={subjectId} /> },
          { title: words.columns.attempts, isEnd: true, isWide: true, cell: ({ attempts }) => attempts },
          { title: words.columns.answer, isEnd: true, cell: ({ lastStatus }) => lastStatus ?? "—" },
          { title: words.columns.when, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}

function EndpointActions({ one, onDone }: { readonly one: WebhookSubscription; readonly onDone: () => void }) {
  const { may } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const [secret, setSecret] = useState<string>();
  const params = { webhookId: one.id };
  const done = (): void => {
    toast(words.done);
    onDone();
  };
  if (!may("webhooks:manage")) return null;
  return (
    <>
      <ActionButton
        label={words.test}
        title={words.testAsk}
        action={words.test}
        className="button main"
        run={() => callTenant("POST /organizations/{tenant}/webhooks/{webhookId}/test", { params })}
        onDone={done}
      >
        <p className="quiet">{words.testLead}</p>
      </ActionButton>
      <ActionButton
        label={words.recover}
        title={words.recoverAsk}
        action={words.recover}
        run={() =>
          callTenant("POST /organizations/{tenant}/webhooks/{webhookId}/recover", {
            params,
            body: { since: new Date(Date.now() - dayMs).toISOString() },
          })
        }
        onDone={done}
      >
        <p className="quiet">{words.recoverLead}</p>
      </ActionButton>
      <ActionButton
        label={words.secret}
        title={words.secretAsk}
        action={words.secret}
        run={async () => {
          const made = await callTenant("POST /organizations/{tenant}/webhooks/{webhookId}/secret", { params });
          setSecret(made.signingSecret);
        }}
        onDone={onDone}
      >
        <p className="quiet">{words.secretLead}</p>
      </ActionButton>
      <ActionButton
        label={words.remove}
        title={words.removeAsk}
        action={words.remove}
        isDanger
        run={() => callTenant("DELETE /organizations/{tenant}/webhooks/{webhookId}", { params })}
        onDone={() => void navigate({ to: "/webhooks" })}
      >
        <p className="quiet">{words.removeLead}</p>
      </ActionButton>
      {secret !== undefined && <SecretOnce value={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

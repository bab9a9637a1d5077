import { Link } from "@tanstack/react-router";
import { readJson } from "../../../sdk/src/json";
import { callTenant } from "../../app/api";
import { useTenant } from "../../app/data";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { tenantText } from "../../text/tenant-text";
import { ActionButton } from "../../ui/confirm";
import { Id } from "../../ui/id";
import { Loading, PageHead } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { ProblemNote } from "../../ui/problem-note";
import { Raw } from "../../ui/raw";
import { Status } from "../../ui/status";
import { Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { useToast } from "../../ui/toast";

const { webhooks: words } = tenantText;

/** One delivery: what was sent, how often, and what was answered. */
export function DeliveryPage() {
  const { webhookId = "", deliveryId = "" } = usePath();
  const { may } = useSession();
  const toast = useToast();
  const params = { webhookId, deliveryId };
  const { data, error, refetch } = useTenant(
    "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}",
    { params },
    { everyMs: 3_000 },
  );
  const crumbs = (
    <>
      <Link to="/webhooks">{words.title}</Link> / <Link to={`/webhooks/${webhookId}`}>{words.endpoint}</Link>
    </>
  );
  return (
    <>
      <PageHead title={data?.event ?? words.delivery} name={words.delivery} crumbs={crumbs}>
        {data !== undefined && may("webhooks:redeliver") && (
          <ActionButton
            label={tenantText.payment.redeliver}
            title={words.againAsk}
            action={tenantText.payment.redeliver}
            className="button main"
            run={() =>
              callTenant("POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", {
                params,
              })
            }
            onDone={() => {
              toast(tenantText.payment.redelivered);
              void refetch();
            }}
          >
            <p className="quiet">{words.againLead}</p>
          </ActionButton>
        )}
      </PageHead>
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ProblemNote error={error} retry={() => void refetch()} />
        )
      ) : (
        <div className="stack">
          <section className="card" aria-label={words.delivery}>
            <div className="inside">
              <Pairs
                of={[
                  [words.columns.state, <Status key="s" value={data.status} />],
                  [words.columns.about, <Id key="a" value={data.subjectId} />],
                  [words.eventId, <Id key="e" value={data.eventId} />],
                  [words.happened, <Time key="h" at={data.occurredAt} />],
                  [words.next, data.nextAttemptAt && <Time at={data.nextAttemptAt} />],
                  [words.ended, data.endedAt && <Time at={data.endedAt} />],
                ]}
              />
            </div>
          </section>
          <section className="card" aria-label={words.columns.attempts}>
            <header>
              <h2>{words.columns.attempts}</h2>
            </header>
            <Table
              caption={words.columns.attempts}
              rows={data.log}
              keyOf={({ number }) => String(number)}
              columns={[
                { title: words.number, cell: ({ number }) => number },
                { title: words.columns.answer, cell: ({ status, failure }) => status ?? failure ?? "—" },
                { title: words.took, isEnd: true, cell: ({ durationMs }) => tenantText.payment.took(durationMs) },
                { title: words.columns.when, isEnd: true, cell: ({ at }) => <Time at={at} /> },
              ]}
            />
          </section>
          <Raw title={words.body} value={readJson(data.body)} />
        </div>
      )}
    </>
  );
}

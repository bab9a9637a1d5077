import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callTenant } from "../../app/api";
import { useTenant } from "../../app/data";
import { useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { Confirm } from "../../ui/confirm";
import { Icon } from "../../ui/icon";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { webhooks: words } = tenantText;
const events = [
  "TransactionStatusChanged",
  "TransactionComplianceStatusChangedEvent",
  "TransactionPayoutStatusChanged",
  "DocumentUpdatedEvents",
  "AgentUpdatedEvents",
];

/** The endpoints that receive the tenant's events. */
export function WebhooksPage() {
  const { may } = useSession();
  const list = useTenant("GET /organizations/{tenant}/webhooks", {}, { everyMs: 10_000 });
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead}>
        {may("webhooks:manage") && <AddEndpoint />}
      </PageHead>
      <List
        query={list}
        rows={({ webhooks }) => webhooks}
        caption={words.list}
        keyOf={({ id }) => id}
        to={({ id }) => `/webhooks/${id}`}
        empty={
          <Empty icon="webhook" title={words.none} command="corridor webhooks create https://example.com/hooks">
            <p>{words.noneLead}</p>
          </Empty>
        }
        columns={[
          { title: words.columns.url, cell: ({ url }) => <code>{url}</code> },
          {
            title: words.columns.state,
            cell: ({ disabledAt }) => <Status value={disabledAt === null ? "ACTIVE" : "FAILED"} />,
          },
          { title: words.columns.events, isEnd: true, isWide: true, cell: ({ events }) => events.length },
          {
            title: words.columns.signed,
            isWide: true,
            cell: ({ secretFingerprint }) =>
              secretFingerprint === null ? (
                <span className="pill wait">{words.unsigned}</span>
              ) : (
                <code>{secretFingerprint}</code>
              ),
          },
          { title: words.columns.since, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </>
  );
}

function AddEndpoint() {
  const [isOpen, setIsOpen] = useState(false);
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>(events.slice(0, 1));
  const navigate = useNavigate();
  const toggle = (event: string): void =>
    setChosen((now) => (now.includes(event) ? now.filter((one) => one !== event) : [...now, event]));
  return (
    <>
      <button type="button" className="button main" onClick={() => setIsOpen(true)}>
        <Icon name="webhook" />
        {words.add}
      </button>
      {isOpen && (
        <Confirm
          title={words.add}
          action={words.add}
          run={async () => {
            const made = await callTenant("POST /organizations/{tenant}/webhooks", { body: { url, events: chosen } });
            void navigate({ to: `/webhooks/${made.id}` });
          }}
          onDone={() => setIsOpen(false)}
          onClose={() => setIsOpen(false)}
        >
          <label className="entry">
            {words.url}
            <input
              className="field"
              type="url"
              placeholder="https://"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          </label>
          <fieldset className="stack tight">
            <legend>{words.events}</legend>
            {events.map((event) => (
              <label key={event} className="row">
                <input type="checkbox" checked={chosen.includes(event)} onChange={() => toggle(event)} />
                {event}
              </label>
            ))}
          </fieldset>
        </Confirm>
      )}
    </>
  );
}

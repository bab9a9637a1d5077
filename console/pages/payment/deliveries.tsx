import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PaymentTimeline } from "../../../sdk/src/gen/api";
import { callTenant } from "../../app/api";
import { useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { Icon } from "../../ui/icon";
import { Empty } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Status } from "../../ui/status";
import { Table } from "../../ui/table";
import { useToast } from "../../ui/toast";

const { payment: words } = tenantText;
type Delivery = PaymentTimeline["webhookDeliveries"][number];

/** Deliveries of webhooks, each with a button to send it again. */
export function Deliveries({
  deliveries,
  onDone,
}: {
  readonly deliveries: readonly Delivery[];
  readonly onDone: () => void;
}) {
  const { may } = useSession();
  const toast = useToast();
  const sending = useMutation({
    mutationFn: ({ webhookId, deliveryId }: Delivery) =>
      callTenant("POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", {
        params: { webhookId, deliveryId },
      }),
    onSuccess: () => {
      toast(words.redelivered);
      onDone();
    },
  });
  if (deliveries.length === 0) {
    return (
      <div className="card">
        <Empty icon="webhook" title={words.noDeliveries}>
          <p>{words.noDeliveriesLead}</p>
          <Link to="/webhooks" className="button">
            {words.addEndpoint}
          </Link>
        </Empty>
      </div>
    );
  }
  return (
    <div className="stack">
      {sending.error !== null && <ProblemNote error={sending.error} />}
      <div className="card">
        <Table
          caption={words.deliveries}
          rows={deliveries}
          keyOf={({ deliveryId }) => deliveryId}
          to={({ webhookId, deliveryId }) => `/webhooks/${webhookId}/${deliveryId}`}
          columns={[
            { title: words.columns.event, cell: ({ event }) => event },
            { title: words.columns.state, cell: ({ status }) => <Status value={status} /> },
            { title: words.columns.attempts, isEnd: true, isWide: true, cell: ({ attempts }) => attempts },
            { title: words.columns.answer, isEnd: true, isWide: true, cell: ({ lastStatus }) => lastStatus ?? "—" },
            {
              title: "",
              isEnd: true,
              cell: (one) =>
                may("webhooks:redeliver") && (
                  <button
                    type="button"
                    className="button small"
                    disabled={sending.isPending}
                    onClick={() => sending.mutate(one)}
                  >
                    <Icon name="undo" />
                    {words.redeliver}
                  </button>
                ),
            },
          ]}
        />
      </div>
    </div>
  );
}

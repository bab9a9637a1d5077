import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { PaymentRequest } from "../../../sdk/src/gen/api";
import { callTenant } from "../../app/api";
import { Problem } from "../../app/problem";
import { tenantText } from "../../text/tenant-text";
import { text } from "../../text/text";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { Money } from "../../ui/money";
import { ProblemNote } from "../../ui/problem-note";
import { amountOf, recipientAmountOf } from "./draft";
import { forgetId, type Payout } from "./use-payout";

const { payout: words } = tenantText;

/** Shows exactly what is about to be sent. Sent twice, by a click or after a reload, it is one payment. */
export function Review({ payout, onClose }: { readonly payout: Payout; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const { draft, form } = payout;
  const amount = amountOf(draft.total, draft.source);
  const gets = recipientAmountOf(draft);
  const address = `/payments/${encodeURIComponent(draft.externalPaymentId)}`;
  const sending = useMutation({
    mutationFn: () => callTenant("POST /v2/payment", { body: payout.body as unknown as PaymentRequest }),
    onSuccess: () => {
      forgetId();
      void navigate({ to: address });
    },
  });
  const isUnknown = sending.error instanceof Problem && sending.error.code === "NETWORK";
  const of = (path: string): string => form?.values[path] ?? "";
  return (
    <Dialog title={words.ask} onClose={onClose}>
      <dl className="price">
        <div>
          <dt className="quiet">{words.recipient}</dt>
          <dd>
            {of("recipient.firstName")} {of("recipient.lastName")}
          </dd>
        </div>
        <div>
          <dt className="quiet">{words.pay}</dt>
          <dd>{amount !== undefined && <Money {...amount} />}</dd>
        </div>
        <div className="total">
          <dt>{words.gets}</dt>
          <dd>{gets !== undefined && <Money {...gets} />}</dd>
        </div>
      </dl>
      {isUnknown ? (
        <div className="note wait" role="alert">
          <Icon name="info" />
          <div>
            <h2>{words.unknown}</h2>
            <p>{words.unknownLead}</p>
          </div>
        </div>
      ) : (
        sending.error !== null && <ProblemNote error={sending.error} />
      )}
      <div className="ends">
        <button type="button" className="button" onClick={onClose}>
          {text.dialog.back}
        </button>
        <button type="button" className="button main" disabled={sending.isPending} onClick={() => sending.mutate()}>
          {sending.isPending ? text.dialog.running : isUnknown ? words.sendAgain : words.send}
        </button>
      </div>
    </Dialog>
  );
}

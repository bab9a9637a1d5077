import { useState } from "react";
import type { ListedPayment, PaymentRecordV2 } from "../../../sdk/src/gen/api";
import { decimal } from "../../../sdk/src/money";
import { callTenant } from "../../app/api";
import { useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { amountText } from "../../ui/amount-text";
import { ActionButton } from "../../ui/confirm";
import { useToast } from "../../ui/toast";

const words = tenantText.payment.actions;

interface Props {
  readonly facts: ListedPayment;
  readonly record: PaymentRecordV2;
  readonly onDone: () => void;
}

/** Actions on the payment in its current state. The platform decides; actions that it would certainly refuse are not offered. */
export function PaymentActions(props: Props) {
  const { may } = useSession();
  const toast = useToast();
  const { status, paymentType, externalPaymentId, agentId, transactionState } = props.facts;
  if (!may("payments:create")) return null;
  const params = { externalPaymentId };
  const onDone = (): void => {
    toast(words.done);
    props.onDone();
  };
  const total = `${props.record.currency} ${amountText(props.record.amount, props.record.currency)}`;
  const isPull = paymentType !== "PUSH";
  return (
    <>
      {status === "AUTHORIZED" && isPull && (
        <ActionButton
          label={words.capture}
          title={words.captureAsk(total)}
          action={words.capture}
          className="button main"
          run={() => callTenant("POST /payments/{externalPaymentId}/capture", { params, body: {} })}
          onDone={onDone}
        >
          <p className="quiet">{words.captureLead}</p>
        </ActionButton>
      )}
      {status === "AUTHORIZED" && isPull && (
        <ActionButton
          label={words.void}
          title={words.voidAsk}
          action={words.void}
          isDanger
          run={() => callTenant("POST /payments/{externalPaymentId}/void", { params })}
          onDone={onDone}
        >
          <p className="quiet">{words.voidLead}</p>
        </ActionButton>
      )}
      {status === "CAPTURED" && paymentType === "PULL" && <Refund {...props} onDone={onDone} />}
      {status === "PENDING" && agentId !== null && transactionState !== "CancelRequested" && (
        <ActionButton
          label={words.cancel}
          title={words.cancelAsk}
          action={words.cancel}
          isDanger
          run={() => callTenant("POST /fx/transactions/{id}/cancel", { params: { id: props.facts.paymentId } })}
          onDone={onDone}
        >
          <p className="quiet">{words.cancelLead}</p>
        </ActionButton>
      )}
    </>
  );
}

/** A refund has an id of its own, made before it is sent: sent twice, it is still one refund. */
function Refund({ facts, record, onDone }: Props) {
  const [id, setId] = useState(() => `refund-${crypto.randomUUID()}`);
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  return (
    <ActionButton
      label={words.refund}
      title={words.refundAsk}
      action={words.refund}
      isDanger
      run={async () =>
        callTenant("POST /payments/{externalPaymentId}/refund", {
          params: { externalPaymentId: facts.externalPaymentId },
          body: {
            externalRefundId: id,
            ...(amount === "" ? {} : { amount: decimal(amount) }),
            ...(reason === "" ? {} : { reason }),
          },
        })
      }
      onDone={() => {
        setId(`refund-${crypto.randomUUID()}`);
        onDone();
      }}
    >
      <p className="quiet">{words.refundLead}</p>
      <label className="entry">
        {words.refundAmount} ({record.currency})
        <input
          className="field"
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
      </label>
      <label className="entry">
        {words.refundReason}
        <input className="field" value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
    </ActionButton>
  );
}

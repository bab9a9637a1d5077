import { Link } from "@tanstack/react-router";
import { callOperator } from "../../app/api";
import { carryOut } from "../../app/command";
import { useOperator } from "../../app/data";
import { useMe } from "../../app/session";
import { usePath } from "../../app/use-path";
import { operatorText } from "../../text/operator-text";
import { ActionButton } from "../../ui/confirm";
import { Icon } from "../../ui/icon";
import { Id } from "../../ui/id";
import { PageHead } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { Raw } from "../../ui/raw";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";
import { useToast } from "../../ui/toast";
import { Waiting } from "../../ui/waiting";

const { desk: words, approval: own } = operatorText;

/** One command that another operator has asked for: approve it, refuse it, or carry it out after approval. */
export function ApprovalPage() {
  const { approvalId = "" } = usePath();
  const params = { approvalId };
  const { data, error, refetch } = useOperator("GET /approvals/{approvalId}", { params }, { everyMs: 4_000 });
  const toast = useToast();
  const { userId } = useMe();
  const crumbs = <Link to="/desk/approvals">{words.approvals}</Link>;
  if (data === undefined) {
    return <Waiting name={own.title} crumbs={crumbs} error={error} retry={() => void refetch()} />;
  }
  const done = (): void => {
    toast(operatorText.command.done);
    void refetch();
  };
  const isOwn = data.asker === `user:${userId}`;
  const decide = (approve: boolean) => () =>
    callOperator("POST /approvals/{approvalId}", { params, body: { approve } });
  return (
    <>
      <PageHead
        crumbs={crumbs}
        name={own.title}
        title={
          <span className="row">
            {data.action} <Status value={data.state} />
          </span>
        }
      >
        {data.state === "WAITING" && (
          <>
            {!isOwn && (
              <ActionButton
                label={own.agree}
                title={own.agreeAsk}
                action={own.agree}
                className="button main"
                run={decide(true)}
                onDone={done}
              >
                <p className="quiet">{own.agreeLead}</p>
              </ActionButton>
            )}
            <ActionButton
              label={own.refuse}
              title={own.refuseAsk}
              action={own.refuse}
              isDanger
              run={decide(false)}
              onDone={done}
            >
              <p className="quiet">{own.refuseLead}</p>
            </ActionButton>
          </>
        )}
        {data.state === "APPROVED" && isOwn && (
          <ActionButton
            label={own.carryOut}
            title={own.carryOutAsk}
            action={own.carryOut}
            className="button main"
            run={() => carryOut(data.action, data.object, data.body, data.approvalId)}
            onDone={done}
          >
            <p className="quiet">{own.carryOutLead}</p>
          </ActionButton>
        )}
      </PageHead>
      <div className="stack">
        {isOwn && data.state === "WAITING" && (
          <div className="note wait">
            <Icon name="info" />
            <p>{own.isOwn}</p>
          </div>
        )}
        <section className="card" aria-label={own.title}>
          <div className="inside">
            <Pairs
              of={[
                [own.object, <About key="o" object={data.object} />],
                [own.asker, data.asker],
                [own.asked, <Time key="a" at={data.askedAt} />],
                [own.until, data.expiresAt && <Time at={data.expiresAt} />],
                [own.by, data.decidedBy],
                [own.spent, data.spentAt && <Time at={data.spentAt} />],
                [own.id, <Id key="i" value={data.approvalId} />],
              ]}
            />
          </div>
        </section>
        {data.body !== null && data.body !== "" && (
          <Raw title={own.body} value={JSON.stringify(JSON.parse(data.body), undefined, 2)} />
        )}
      </div>
    </>
  );
}

/** The object of the command, with a link to its page if it has one. */
function About({ object }: { readonly object: string }) {
  const parts = new Map(object.split(" ").map((part) => part.split("=") as [string, string | undefined]));
  const [tenant, paymentId] = [parts.get("tenant"), parts.get("paymentId")];
  const caseId = parts.get("caseId");
  const reviewId = parts.get("reviewId");
  const to =
    caseId !== undefined
      ? `/desk/cases/${caseId}`
      : reviewId !== undefined
        ? `/desk/reviews/${reviewId}`
        : tenant !== undefined && paymentId !== undefined
          ? `/desk/payments/${tenant}/${paymentId}`
          : undefined;
  return to === undefined ? object : <Link to={to}>{object}</Link>;
}

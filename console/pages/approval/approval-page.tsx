import { Link } from "@tanstack/react-router";
import { readJson } from "../../../sdk/src/json";
import { callOperator } from "../../app/api";
import { carryOut } from "../../app/command";
import { useOperator } from "../../app/data";
import { usePath } from "../../app/use-path";
import { text } from "../../text/text";
import { ActionButton } from "../../ui/confirm";
import { Id } from "../../ui/id";
import { PageHead, Waiting } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { Raw } from "../../ui/raw";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";
import { useToast } from "../../ui/toast";

const { desk: words, approval: own } = text;

/** One command that another operator has asked for: agree, refuse, or carry out what was agreed to. */
export function ApprovalPage() {
  const { approvalId = "" } = usePath();
  const params = { approvalId };
  const { data, error, refetch } = useOperator("GET /approvals/{approvalId}", { params }, { everyMs: 4_000 });
  const toast = useToast();
  const crumbs = <Link to="/desk/approvals">{words.approvals}</Link>;
  if (data === undefined) {
    return <Waiting name={own.title} crumbs={crumbs} error={error} retry={() => void refetch()} />;
  }
  const done = (): void => {
    toast(text.command.done);
    void refetch();
  };
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
        {data.state === "APPROVED" && (
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
        <section className="card" aria-label={own.title}>
          <div className="inside">
            <Pairs
              of={[
                [own.object, data.object],
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
        {data.body !== null && data.body !== "" && <Raw title={own.body} value={readJson(data.body)} />}
      </div>
    </>
  );
}

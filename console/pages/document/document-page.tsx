import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { addressOf } from "../../app/api";
import { command } from "../../app/command";
import { useOperator } from "../../app/data";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { CommandButton } from "../../ui/command-button";
import { DocumentView } from "../../ui/document-view";
import { Id } from "../../ui/id";
import { NoteField } from "../../ui/note-field";
import { PageHead } from "../../ui/page";
import { FactsCard } from "../../ui/pairs";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";
import { Waiting } from "../../ui/waiting";

const { desk: words, handedIn: own } = operatorText;

/** One document of a person, to review and decide about. */
export function DocumentPage() {
  const { tenant = "", documentId = "" } = usePath();
  const { may } = useSession();
  const params = { tenant, documentId };
  const { data, error, refetch } = useOperator("GET /tenants/{tenant}/documents/{documentId}", { params });
  const [note, setNote] = useState("");
  const crumbs = <Link to="/desk/documents">{own.title}</Link>;
  if (data === undefined) {
    return <Waiting name={own.document} crumbs={crumbs} error={error} retry={() => void refetch()} />;
  }
  const { path } = addressOf("GET /tenants/{tenant}/documents/{documentId}/content", { params }, "o");
  const name = statusText(data.documentType);
  const decide = (accept: boolean) => () =>
    command("POST /tenants/{tenant}/documents/{documentId}/decision", { params, body: { accept, note } });
  const why = <NoteField label={own.why} value={note} onChange={setNote} />;
  return (
    <>
      <PageHead
        crumbs={crumbs}
        name={name}
        title={
          <span className="row">
            {name} <Status value={data.verificationStatus} />
          </span>
        }
      >
        {may("documents:decide") && data.verificationStatus === "PENDING" && (
          <>
            <CommandButton
              label={own.accept}
              title={own.acceptAsk}
              className="button main"
              run={decide(true)}
              onDone={() => void refetch()}
            >
              {why}
            </CommandButton>
            <CommandButton
              label={own.reject}
              title={own.rejectAsk}
              isDanger
              run={decide(false)}
              onDone={() => void refetch()}
            >
              {why}
            </CommandButton>
          </>
        )}
      </PageHead>
      <div className="two">
        {may("documents:read") ? (
          <DocumentView name={name} src={path} mediaType={data.mediaType} />
        ) : (
          <p className="card inside quiet">{own.sealed}</p>
        )}
        <FactsCard
          of={[
            [words.tenant, tenant],
            [own.of, <Id key="e" value={data.entityId} />],
            [own.number, data.documentNumber],
            [own.kind, data.mediaType],
            [own.since, <Time key="s" at={data.createdAt} />],
            [operatorText.review.decided, data.decision && <Time at={data.decision.decidedAt} />],
            [operatorText.review.author, data.decision?.author],
            [operatorText.review.note, data.decision?.note],
          ]}
        />
      </div>
    </>
  );
}

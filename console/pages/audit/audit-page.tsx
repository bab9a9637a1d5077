import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { callOperator } from "../../app/api";
import { useOperator } from "../../app/data";
import type { Search } from "../../app/search";
import { operatorText } from "../../text/operator-text";
import { text } from "../../text/text";
import { Icon } from "../../ui/icon";
import { CopyButton } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { audit: words } = operatorText;

/** The audit log: who did what, in a chain that reveals tampering. */
export function AuditPage() {
  const search: Search = useSearch({ strict: false });
  const after = Number.parseInt(search["after"] ?? "", 10);
  const query = { limit: 100, order: "newest" as const, ...(Number.isNaN(after) ? {} : { after }) };
  const page = useOperator("GET /audit", { query });
  const verify = useMutation({ mutationFn: () => callOperator("GET /audit/verify", {}) });
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead}>
        <button type="button" className="button main" disabled={verify.isPending} onClick={() => verify.mutate()}>
          <Icon name="shield" />
          {verify.isPending ? text.dialog.running : words.verify}
        </button>
      </PageHead>
      <div className="stack" role="status">
        {verify.error !== null && <ProblemNote error={verify.error} />}
        {verify.data !== undefined && (
          <div className={`note ${verify.data.isWhole ? "good" : "bad"}`}>
            <Icon name={verify.data.isWhole ? "check" : "alert"} />
            <div>
              <h2>{verify.data.isWhole ? words.whole : words.broken(verify.data.brokenAt ?? 0)}</h2>
              <p className="small">{words.checked(verify.data.count, verify.data.anchors)}</p>
            </div>
          </div>
        )}
      </div>
      <List
        query={page}
        rows={({ records }) => records}
        next={({ next }) => (next === null ? null : String(next))}
        after={search["after"]}
        caption={words.title}
        keyOf={({ sequence }) => String(sequence)}
        empty={<Empty icon="audit" title={words.none} />}
        columns={[
          { title: words.number, cell: ({ sequence }) => <span className="number">{sequence}</span> },
          {
            title: words.who,
            cell: ({ actor, tenant }) => (
              <>
                {actor ?? "—"}
                <span className="under">{tenant}</span>
              </>
            ),
          },
          {
            title: words.did,
            cell: ({ action, object }) => (
              <>
                {action}
                <span className="under">{object}</span>
              </>
            ),
          },
          {
            title: words.outcome,
            isWide: true,
            cell: ({ outcome = "" }) => outcome !== "" && <Status value={outcome} />,
          },
          {
            title: words.request,
            isWide: true,
            cell: ({ requestId }) =>
              requestId !== undefined && <CopyButton value={requestId} label={text.id.copy(requestId)} />,
          },
          { title: words.when, isEnd: true, cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </>
  );
}

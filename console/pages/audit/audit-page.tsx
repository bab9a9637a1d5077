import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { callOperator } from "../../app/api";
import { useOperator } from "../../app/data";
import type { Search } from "../../app/search";
import { operatorText } from "../../text/operator-text";
import { text } from "../../text/text";
import { chosenOf, type Filter, Filters } from "../../ui/filters";
import { Icon } from "../../ui/icon";
import { CopyButton } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { audit: words } = operatorText;

const filters: readonly Filter[] = [
  { name: "actor", label: words.who },
  { name: "tenant", label: words.tenant },
  { name: "object", label: words.object },
  { name: "from", label: words.from, type: "date" },
  { name: "until", label: words.until, type: "date" },
];

/** The audit log: who did what, in a chain that reveals tampering. */
export function AuditPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const after = Number.parseInt(search["after"] ?? "", 10);
  const place = Number.isNaN(after) ? {} : { after };
  const query = { limit: 100, order: "newest" as const, ...chosenOf(filters, search), ...place };
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
      <Filters filters={filters} values={search} onChange={(values) => void navigate({ to: ".", search: values })} />
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
                {actor === undefined ? (
                  "—"
                ) : (
                  <Link to="/desk/audit" search={{ actor }}>
                    {actor}
                  </Link>
                )}
                <span className="under">{tenant}</span>
              </>
            ),
          },
          {
            title: words.did,
            cell: ({ action, object }) => (
              <>
                {action}
                {object !== undefined && object !== "" && (
                  <Link className="under" to="/desk/audit" search={{ object }}>
                    {object}
                  </Link>
                )}
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

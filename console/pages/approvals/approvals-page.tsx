import { useNavigate, useSearch } from "@tanstack/react-router";
import type { OperatorInput } from "../../app/api";
import { useOperator } from "../../app/data";
import type { Search } from "../../app/search";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { Filters } from "../../ui/filters";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { desk: words, approval: own } = operatorText;

/** Commands that wait for a second pair of eyes. */
export function ApprovalsPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = { ...search, limit: 50 } as NonNullable<OperatorInput<"GET /approvals">["query"]>;
  const page = useOperator("GET /approvals", { query }, { everyMs: 5_000 });
  return (
    <>
      <PageHead title={words.approvals} name={words.approvals} lead={own.lead} />
      <Filters
        filters={[
          {
            name: "state",
            label: words.state,
            options: ["APPROVED", "REFUSED", "SPENT"].map((value) => [value, statusText(value)] as const),
          },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      <List
        query={page}
        rows={({ approvals }) => approvals}
        next={({ next }) => next}
        after={search["after"]}
        caption={words.approvals}
        keyOf={({ approvalId }) => approvalId}
        to={({ approvalId }) => `/desk/approvals/${approvalId}`}
        empty={
          <Empty icon="check" title={own.none}>
            <p>{own.noneLead}</p>
          </Empty>
        }
        columns={[
          {
            title: own.command,
            cell: ({ action, object }) => (
              <>
                {action}
                <span className="under">{object}</span>
              </>
            ),
          },
          { title: words.state, cell: ({ state }) => <Status value={state} /> },
          { title: own.asker, isWide: true, cell: ({ asker }) => asker },
          { title: own.asked, isEnd: true, isWide: true, cell: ({ askedAt }) => <Time at={askedAt} /> },
        ]}
      />
    </>
  );
}

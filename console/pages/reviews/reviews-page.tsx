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

const { desk: words, review: own } = operatorText;

/** Subjects that were found on a list, oldest first. */
export function ReviewsPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = { ...search, limit: 50 } as NonNullable<OperatorInput<"GET /reviews">["query"]>;
  const page = useOperator("GET /reviews", { query }, { everyMs: 5_000 });
  return (
    <>
      <PageHead title={words.reviews} name={words.reviews} lead={own.lead} />
      <Filters
        filters={[
          {
            name: "status",
            label: words.state,
            options: ["APPROVED", "REJECTED", "BLOCKED", "WITHDRAWN"].map(
              (value) => [value, statusText(value)] as const,
            ),
          },
          {
            name: "kind",
            label: words.what,
            options: ["PERSON", "COMPANY", "PAYMENT"].map((value) => [value, statusText(value)] as const),
          },
          { name: "tenant", label: words.tenant },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      <List
        query={page}
        rows={({ reviews }) => reviews}
        next={({ next }) => next}
        after={search["after"]}
        caption={words.reviews}
        keyOf={({ reviewId }) => reviewId}
        to={({ reviewId }) => `/desk/reviews/${reviewId}`}
        empty={
          <Empty icon="shield" title={own.none}>
            <p>{own.noneLead}</p>
          </Empty>
        }
        columns={[
          { title: words.what, cell: ({ kind, subjectId }) => `${statusText(kind)} ${subjectId.slice(0, 8)}…` },
          { title: words.state, cell: ({ status }) => <Status value={status} /> },
          { title: words.tenant, isWide: true, cell: ({ tenant }) => tenant },
          {
            title: own.likeness,
            isEnd: true,
            cell: ({ hits }) =>
              hits.length === 0 ? "—" : `${String(Math.max(...hits.map((hit) => hit.likenessPercent)))} %`,
          },
          { title: words.opened, isEnd: true, isWide: true, cell: ({ openedAt }) => <Time at={openedAt} /> },
        ]}
      />
    </>
  );
}

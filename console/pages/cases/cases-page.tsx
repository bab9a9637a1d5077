import { useNavigate, useSearch } from "@tanstack/react-router";
import type { OperatorInput } from "../../app/api";
import { useOperator } from "../../app/data";
import type { Search } from "../../app/search";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { Filters } from "../../ui/filters";
import { List } from "../../ui/list";
import { Money } from "../../ui/money";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { desk: words } = operatorText;
const kinds =
  "UNEXPECTED_FACT AMOUNT_DIFFERS CONTRADICTION UNKNOWN_REFERENCE STEP_UNKNOWN REVERSAL_REFUSED RECONCILIATION_BREAK PARKED_MESSAGE AUTHORIZATION_EXPIRED".split(
    " ",
  );

/** Cases that only a person can resolve, oldest first. */
export function CasesPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = { ...search, limit: 50 } as NonNullable<OperatorInput<"GET /cases">["query"]>;
  const page = useOperator("GET /cases", { query }, { everyMs: 5_000 });
  return (
    <>
      <PageHead title={words.cases} name={words.cases} lead={words.casesLead} />
      <Filters
        filters={[
          {
            name: "state",
            label: words.state,
            options: ["CLOSED", "ALL"].map((value) => [value, statusText(value)] as const),
          },
          { name: "kind", label: words.what, options: kinds.map((value) => [value, statusText(value)] as const) },
          { name: "tenant", label: words.tenant },
          { name: "provider", label: words.provider },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      <List
        query={page}
        rows={({ cases }) => cases}
        next={({ next }) => next}
        after={search["after"]}
        caption={words.cases}
        keyOf={({ caseId }) => caseId}
        to={({ caseId }) => `/desk/cases/${caseId}`}
        empty={
          <Empty icon="case" title={words.noCase}>
            <p>{words.noCaseLead}</p>
          </Empty>
        }
        columns={[
          { title: words.what, cell: (one) => one.kinds.map(statusText).join(", ") },
          {
            title: words.state,
            cell: ({ state }) => <Status value={state} tone={state === "OPEN" ? "wait" : "good"} />,
          },
          { title: words.tenant, isWide: true, cell: ({ tenant }) => tenant ?? "—" },
          { title: words.provider, isWide: true, cell: ({ provider }) => provider ?? "—" },
          {
            title: words.amounts,
            isEnd: true,
            isWide: true,
            cell: ({ amounts }) =>
              amounts.map((amount) => <Money key={`${amount.currency} ${amount.total}`} {...amount} />),
          },
          {
            title: words.owner,
            isWide: true,
            cell: ({ owner }) => owner ?? <span className="quiet">{words.nobody}</span>,
          },
          { title: words.opened, isEnd: true, cell: ({ openedAt }) => <Time at={openedAt} /> },
        ]}
      />
    </>
  );
}

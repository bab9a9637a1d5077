import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ListedParticipant } from "../../../sdk/src/gen/api";
import type { TenantInput } from "../../app/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { Filters } from "../../ui/filters";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Tabs } from "../../ui/tabs";
import { Time } from "../../ui/time";

const { people: words } = tenantText;

/** Persons and companies that the tenant has registered, by id and state: their names stay sealed. */
export function PeoplePage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const tab = search["tab"] ?? "people";
  const query = { status: search["status"], after: search["after"], limit: 50 } as NonNullable<
    TenantInput<"GET /organizations/{tenant}/people">["query"]
  >;
  const people = useTenant("GET /organizations/{tenant}/people", { query }, { isOn: tab === "people" });
  const companies = useTenant("GET /organizations/{tenant}/companies", { query }, { isOn: tab === "companies" });
  const common = {
    after: search["after"],
    caption: words.title,
    keyOf: ({ id }: ListedParticipant) => id,
    empty: (
      <Empty icon="people" title={words.none}>
        <p>{words.noneLead}</p>
      </Empty>
    ),
    columns: [
      {
        title: words.id,
        cell: ({ id }: ListedParticipant) => <code>{id}</code>,
      },
      { title: words.state, cell: ({ status }: ListedParticipant) => <Status value={status} /> },
      {
        title: words.why,
        isWide: true,
        cell: ({ reasonCodes }: ListedParticipant) => reasonCodes.map(statusText).join(", "),
      },
      {
        title: words.changed,
        isEnd: true,
        isWide: true,
        cell: ({ updatedAt }: ListedParticipant) => <Time at={updatedAt} />,
      },
    ],
  };
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      <Tabs
        label={words.title}
        tabs={[
          ["people", words.people],
          ["companies", words.companies],
        ]}
        chosen={tab}
      />
      <Filters
        filters={[
          {
            name: "status",
            label: words.state,
            options: ["APPROVED", "IN_REVIEW", "REJECTED"].map((value) => [value, statusText(value)] as const),
          },
        ]}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: { ...values, tab: search["tab"] } })}
      />
      {tab === "companies" ? (
        <List
          query={companies}
          rows={(page) => page.companies}
          next={({ next }) => next}
          to={({ id }) => `/companies/${id}`}
          {...common}
        />
      ) : (
        <List
          query={people}
          rows={(page) => page.people}
          next={({ next }) => next}
          to={({ id }) => `/people/${id}`}
          {...common}
        />
      )}
    </>
  );
}

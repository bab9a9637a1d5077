import { useOperator } from "../../app/data";
import { operatorText } from "../../text/operator-text";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Time } from "../../ui/time";

const { tenants: words } = operatorText;

/** Every tenant. */
export function TenantsPage() {
  const tenants = useOperator("GET /tenants", {}, { everyMs: 10_000 });
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      <List
        query={tenants}
        rows={(page) => page.tenants}
        caption={words.title}
        keyOf={({ tenant }) => tenant}
        to={({ tenant }) => `/desk/tenants/${tenant}`}
        empty={<Empty icon="tenant" title={words.none} />}
        columns={[
          { title: words.slug, cell: ({ tenant }) => tenant },
          {
            title: words.state,
            cell: ({ isDisabled }) => (
              <span className={`pill ${isDisabled ? "bad" : "good"}`}>
                {isDisabled ? words.disabled : words.active}
              </span>
            ),
          },
          {
            title: words.allowlist,
            isWide: true,
            cell: ({ allowlist }) => (allowlist.length === 0 ? words.everywhere : allowlist.join(", ")),
          },
          { title: words.certificates, isEnd: true, isWide: true, cell: ({ certificates }) => certificates.length },
          { title: words.since, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </>
  );
}

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

const { desk: words, handedIn: own } = operatorText;

/** Documents of one tenant's participants that a person has to review. */
export function DocumentsPage() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const tenants = useOperator("GET /tenants", {});
  const slugs = tenants.data?.tenants.map((one) => one.tenant) ?? [];
  const tenant = search["tenant"] ?? slugs[0] ?? "";
  const query = { after: search["after"], limit: 50 } as NonNullable<
    OperatorInput<"GET /tenants/{tenant}/documents">["query"]
  >;
  const page = useOperator(
    "GET /tenants/{tenant}/documents",
    { params: { tenant }, query },
    { everyMs: 5_000, isOn: tenant !== "" },
  );
  return (
    <>
      <PageHead title={own.title} name={own.title} lead={own.lead} />
      <Filters
        filters={[{ name: "tenant", label: words.tenant, options: slugs.map((slug) => [slug, slug] as const) }]}
        values={{ tenant }}
        onChange={(values) => void navigate({ to: ".", search: values })}
      />
      <List
        query={page}
        rows={({ documents }) => documents}
        next={({ next }) => next}
        after={search["after"]}
        caption={own.title}
        keyOf={({ id }) => id}
        to={({ id }) => `/desk/documents/${tenant}/${id}`}
        empty={
          <Empty icon="audit" title={own.none}>
            <p>{own.noneLead}</p>
          </Empty>
        }
        columns={[
          { title: words.what, cell: ({ documentType }) => statusText(documentType) },
          { title: words.state, cell: ({ verificationStatus }) => <Status value={verificationStatus} /> },
          { title: own.kind, isWide: true, cell: ({ mediaType }) => mediaType },
          { title: words.opened, isEnd: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </>
  );
}

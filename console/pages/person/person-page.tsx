import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { Company, Document, Person } from "../../../sdk/src/gen/api";
import { addressOf, callTenant } from "../../app/api";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { ActionButton } from "../../ui/confirm";
import { DocumentView } from "../../ui/document-view";
import { Icon } from "../../ui/icon";
import { Id } from "../../ui/id";
import { Empty, PageHead } from "../../ui/page";
import { FactsCard } from "../../ui/pairs";
import { Status } from "../../ui/status";
import { Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { useToast } from "../../ui/toast";
import { Waiting } from "../../ui/waiting";

const { person: words } = tenantText;

/** One person that the tenant has registered. */
export function PersonPage() {
  const { personId = "" } = usePath();
  const person = useTenant("GET /organizations/{tenant}/people/{personId}", { params: { personId } });
  const documents = useTenant(
    "GET /people/{id}/documents",
    { params: { id: personId }, query: { limit: 50 } },
    { everyMs: 10_000, isTold: true },
  );
  return <Participant of="people" query={person} documents={documents.data?.documents} />;
}

/** One company. */
export function CompanyPage() {
  const { companyId = "" } = usePath();
  const company = useTenant("GET /organizations/{tenant}/companies/{companyId}", { params: { companyId } });
  const documents = useTenant(
    "GET /companies/{id}/documents",
    { params: { id: companyId }, query: { limit: 50 } },
    { everyMs: 10_000, isTold: true },
  );
  return <Participant of="companies" query={company} documents={documents.data?.documents} />;
}

interface Props {
  readonly of: "people" | "companies";
  readonly query: UseQueryResult<Person | Company>;
  readonly documents: readonly Document[] | undefined;
}

/** The participant's facts, levels and documents. */
function Participant({ of, query: { data, error, refetch }, documents }: Props) {
  const { may } = useSession();
  const crumbs = <Link to={`/people${of === "companies" ? "?tab=companies" : ""}`}>{tenantText.people.title}</Link>;
  if (data === undefined) {
    return <Waiting name={words.title} crumbs={crumbs} error={error} retry={() => void refetch()} />;
  }
  const name = data.companyName ?? [data.firstName, data.lastName].filter(Boolean).join(" ");
  const shown = name === "" ? words.nameless : name;
  return (
    <>
      <PageHead
        crumbs={crumbs}
        name={shown}
        title={
          <span className="row">
            {shown} <Status value={data.status} />
          </span>
        }
      >
        {of === "people" && may("kyc:open") && <OpenCheck personId={data.id} />}
      </PageHead>
      <div className="two">
        <div className="stack">
          <Levels participantId={data.id} />
          <Documents of={of} ownerId={data.id} documents={documents} />
        </div>
        <FactsCard
          of={[
            [tenantText.people.id, <Id key="i" value={data.id} />],
            [tenantText.people.why, data.reasonCodes.map(statusText).join(", ")],
            [words.document, data.identificationType && statusText(data.identificationType)],
            [words.number, data.identification],
            [words.born, data.birthDate],
            [words.nationality, data.nationality],
            [words.address, addressText(data.address)],
            [words.since, <Time key="s" at={data.createdAt} />],
            [tenantText.people.changed, <Time key="c" at={data.updatedAt} />],
          ]}
        />
      </div>
    </>
  );
}

const addressText = (address: Person["address"]): string =>
  [
    address?.addressLine1,
    address?.addressLine2,
    address?.postalCode,
    address?.city,
    address?.state,
    address?.countryCode,
  ]
    .filter(Boolean)
    .join(", ");

/** The level reached, and what the next one needs. */
function Levels({ participantId }: { readonly participantId: string }) {
  const { data } = useTenant("GET /participants/{id}/complianceLevels", { params: { id: participantId } });
  if (data === undefined) return null;
  return (
    <section className="card" aria-label={words.levels}>
      <header>
        <h2>{words.levels}</h2>
      </header>
      <ol className="steps">
        {data.levels
          .filter(({ level }) => level !== "NONE")
          .map(({ level, missing }) => (
            <li key={level} className={missing.length === 0 ? "is-done" : ""}>
              <span className="tick" aria-hidden="true">
                {missing.length === 0 && <Icon name="check" />}
              </span>
              <div>
                <b>{statusText(level)}</b>
                <span className="under">
                  {missing.length === 0 ? words.reached : words.missing(missing.map(statusText).join(", "))}
                </span>
              </div>
            </li>
          ))}
      </ol>
    </section>
  );
}

interface DocumentsProps {
  readonly of: Props["of"];
  readonly ownerId: string;
  readonly documents: readonly Document[] | undefined;
}

function Documents({ of, ownerId, documents = [] }: DocumentsProps) {
  const { document: chosen }: Search = useSearch({ strict: false });
  const one = documents.find(({ id }) => id === chosen);
  const name = of === "people" ? ("GET /people/{id}/documents/{document}/content" as const) : undefined;
  const { path } = addressOf(name ?? "GET /companies/{id}/documents/{document}/content", {
    params: { id: ownerId, document: one?.id ?? "" },
  });
  return (
    <>
      <section className="card" aria-label={words.documents}>
        <header>
          <h2>{words.documents}</h2>
        </header>
        {documents.length === 0 ? (
          <Empty icon="audit" title={words.noDocument}>
            <p>{words.noDocumentLead}</p>
          </Empty>
        ) : (
          <Table
            caption={words.documents}
            rows={documents}
            keyOf={({ id }) => id}
            to={({ id }) => `/${of}/${ownerId}?document=${id}`}
            columns={[
              { title: words.document, cell: ({ documentType }) => statusText(documentType) },
              {
                title: tenantText.people.state,
                cell: ({ verificationStatus }) => <Status value={verificationStatus} />,
              },
              {
                title: tenantText.people.why,
                isWide: true,
                cell: ({ decision }) => (decision?.reasonCode === undefined ? "" : statusText(decision.reasonCode)),
              },
              { title: words.since, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </section>
      {one !== undefined && <DocumentView name={statusText(one.documentType)} src={path} mediaType={one.mediaType} />}
    </>
  );
}

/** A check at the verification vendor: its address is meant for the person. */
function OpenCheck({ personId }: { readonly personId: string }) {
  const toast = useToast();
  return (
    <ActionButton
      label={words.check}
      title={words.checkAsk}
      action={words.check}
      className="button main"
      run={async () => {
        const { url } = await callTenant("POST /v1/sessions", { body: { userRef: personId, personId } });
        await navigator.clipboard.writeText(url);
      }}
      onDone={() => toast(words.checkDone)}
    >
      <p className="quiet">{words.checkLead}</p>
    </ActionButton>
  );
}

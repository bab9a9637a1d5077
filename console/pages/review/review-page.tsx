import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Review } from "../../../sdk/src/gen/operator";
import { command } from "../../app/command";
import { useOperator } from "../../app/data";
import { useSession } from "../../app/session";
import { usePath } from "../../app/use-path";
import { operatorText } from "../../text/operator-text";
import { statusText } from "../../text/status";
import { CommandButton } from "../../ui/command-button";
import { Id } from "../../ui/id";
import { NoteField } from "../../ui/note-field";
import { Empty, PageHead } from "../../ui/page";
import { Pairs } from "../../ui/pairs";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";
import { Waiting } from "../../ui/waiting";

const { desk: words, review: own } = operatorText;

/** One review: the subject beside the entry that it resembles. */
export function ReviewPage() {
  const { reviewId = "" } = usePath();
  const { data, error, refetch } = useOperator("GET /reviews/{reviewId}", { params: { reviewId } }, { everyMs: 5_000 });
  const crumbs = <Link to="/desk/reviews">{words.reviews}</Link>;
  if (data === undefined) {
    return <Waiting name={own.title} crumbs={crumbs} error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <PageHead
        crumbs={crumbs}
        name={own.title}
        title={
          <span className="row">
            {statusText(data.kind)} <Status value={data.status} />
          </span>
        }
      >
        <Decide review={data} onDone={() => void refetch()} />
      </PageHead>
      <div className="stack">
        <section className="card" aria-label={own.title}>
          <div className="inside">
            <Pairs
              of={[
                [words.tenant, data.tenant],
                [own.subject, <Id key="s" value={data.subjectId} />],
                [words.opened, <Time key="o" at={data.openedAt} />],
                [own.list, data.listVersion],
                [own.decided, data.decidedAt && <Time at={data.decidedAt} />],
                [own.author, data.author],
                [own.note, data.note],
              ]}
            />
          </div>
        </section>
        {data.hits.length > 0 && <p className="quiet small">{own.marked}</p>}
        <div className="beside">
          <Facts
            title={own.subject}
            facts={data.facts}
            other={new Set(data.hits.flatMap(({ entry }) => [...wordsIn(entry)]))}
          />
          {data.hits.length === 0 && (
            <div className="card">
              <Empty icon="shield" title={own.noHit} />
            </div>
          )}
          {data.hits.map(({ entryId, likenessPercent, entry }) => (
            <Facts
              key={entryId}
              title={own.entry(entryId, likenessPercent)}
              facts={entry}
              other={wordsIn(data.facts)}
            />
          ))}
        </div>
      </div>
    </>
  );
}

interface FactsProps {
  readonly title: string;
  readonly facts: Readonly<Record<string, unknown>> | null;
  /** Words of the other side of the comparison. */
  readonly other: ReadonlySet<string>;
}

/** Facts of any shape: names and values, one under the other. */
function Facts({ title, facts, other }: FactsProps) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <div className="inside">
        {facts === null ? (
          <p className="quiet">{own.erased}</p>
        ) : (
          <Pairs
            of={Object.entries(facts)
              .filter(([, value]) => shown(value) !== "")
              .map(([name, value]) => [statusText(name), <Compared key={name} value={shown(value)} other={other} />])}
          />
        )}
      </div>
    </section>
  );
}

/** Words that distinguish people; shorter ones are in every name. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

const wordsIn = (facts: Readonly<Record<string, unknown>> | null): ReadonlySet<string> =>
  new Set(Object.values(facts ?? {}).flatMap((value) => wordsOf(shown(value))));

/** Renders a value and highlights words that the other side has, too. */
const Compared = ({ value, other }: { readonly value: string; readonly other: ReadonlySet<string> }) =>
  value
    .split(/([\p{L}\p{N}]{3,})/u)
    .map((part, at) => (other.has(part.toLowerCase()) ? <mark key={`${part} ${String(at)}`}>{part}</mark> : part));

/** Renders a fact for people: names alone, everything else with its label. Empty or false values are left out. */
function shown(value: unknown): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (value === true) return words.yes;
  if (Array.isArray(value)) return value.map(shown).filter(Boolean).join(", ");
  if (typeof value !== "object" || value === null) return "";
  if ("text" in value) return shown(value.text);
  return Object.entries(value)
    .map(([name, inner]) => [name, shown(inner)] as const)
    .filter(([, words]) => words !== "")
    .map(([name, words]) => `${statusText(name)}: ${words}`)
    .join(" · ");
}

function Decide({ review, onDone }: { readonly review: Review; readonly onDone: () => void }) {
  const { may } = useSession();
  const [note, setNote] = useState("");
  if (!may("reviews:decide") || review.status !== "OPEN") return null;
  const params = { tenant: review.tenant, reviewId: review.reviewId };
  const decide = (approve: boolean) => () =>
    command("POST /tenants/{tenant}/reviews/{reviewId}", { params, body: { approve, note } });
  const why = <NoteField label={own.why} value={note} onChange={setNote} />;
  return (
    <>
      <CommandButton
        label={own.approve}
        title={own.approveAsk}
        className="button main"
        run={decide(true)}
        onDone={onDone}
      >
        <p className="quiet">{own.approveLead}</p>
        {why}
      </CommandButton>
      <CommandButton label={own.reject} title={own.rejectAsk} isDanger run={decide(false)} onDone={onDone}>
        <p className="quiet">{own.rejectLead}</p>
        {why}
      </CommandButton>
    </>
  );
}

import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOperator } from "../../app/data";
import { useMe } from "../../app/session";
import { operatorText } from "../../text/operator-text";
import { Icon, type IconName } from "../../ui/icon";
import { PageHead } from "../../ui/page";
import { Time } from "../../ui/time";

const { desk: words } = operatorText;
const everyMs = 10_000;
const most = 100;

/** Work that waits for a person, and since when. */
export function DeskPage() {
  const { roles } = useMe();
  const has = (...some: readonly string[]): boolean => some.some((role) => roles.includes(role));
  const on = (isOn: boolean) => ({ everyMs, isOn });
  const [seesCases, seesReviews, seesPayments] = [
    has("support", "treasury"),
    has("support", "compliance"),
    has("support", "compliance", "treasury"),
  ];
  const cases = useOperator("GET /cases", { query: { limit: most } }, on(seesCases));
  const reviews = useOperator("GET /reviews", { query: { limit: most } }, on(seesReviews));
  const holds = useOperator("GET /holds", { query: { limit: most } }, on(seesPayments));
  const stuck = useOperator("GET /payments", { query: { stuck: true, limit: most } }, on(seesPayments));
  const approvals = useOperator("GET /approvals", { query: { limit: most } }, on(true));
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      <div className="queues">
        {seesCases && (
          <Queue
            query={cases}
            icon="case"
            name={words.cases}
            to="/desk/cases"
            rows={({ cases }) => cases.map((one) => one.openedAt)}
          />
        )}
        {seesReviews && (
          <Queue
            query={reviews}
            icon="shield"
            name={words.reviews}
            to="/desk/reviews"
            rows={({ reviews }) => reviews.map((one) => one.openedAt)}
          />
        )}
        {seesPayments && (
          <Queue
            query={stuck}
            icon="payments"
            name={words.stuck}
            to="/desk/payments?stuck=true"
            rows={({ payments }) => payments.map((one) => one.escalatedAt)}
          />
        )}
        {seesPayments && (
          <Queue
            query={holds}
            icon="clock"
            name={words.holds}
            to="/desk/payments?held=true"
            rows={({ holds }) => holds.map((one) => one.createdAt)}
          />
        )}
        <Queue
          query={approvals}
          icon="check"
          name={words.approvals}
          to="/desk/approvals"
          rows={({ approvals }) => approvals.map((one) => one.askedAt)}
        />
      </div>
    </>
  );
}

interface QueueProps<Answer> {
  readonly query: UseQueryResult<Answer>;
  readonly icon: IconName;
  readonly name: string;
  readonly to: string;
  /** Time since which each waits. */
  readonly rows: (answer: Answer) => readonly (string | null)[];
}

function Queue<Answer>({ query, icon, name, to, rows }: QueueProps<Answer>) {
  const waiting = query.data === undefined ? undefined : rows(query.data);
  const count = waiting?.length ?? 0;
  const oldest = waiting?.filter((at) => at !== null).sort()[0];
  return (
    <Link to={to} className={`card queue${count > 0 ? " is-waiting" : ""}`} data-row="">
      <span className="row">
        <Icon name={icon} />
        {name}
      </span>
      <b>{waiting === undefined ? "·" : count === most ? words.many(most) : count}</b>
      <span className="small quiet">
        {query.error !== null ? (
          query.error.message
        ) : count === 0 ? (
          words.nothing
        ) : (
          <>
            {words.oldest} <Time at={oldest} />
          </>
        )}
      </span>
    </Link>
  );
}

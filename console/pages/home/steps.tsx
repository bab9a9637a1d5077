import { Link } from "@tanstack/react-router";
import { useTenant } from "../../app/data";
import { useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { Icon } from "../../ui/icon";

const { home: words } = tenantText;

/** A newcomer's first steps. Each step ticks itself; once all are done, the list disappears. */
export function Steps() {
  const { may } = useSession();
  const one = { limit: 1 } as const;
  const told = { everyMs: 10_000, isTold: true } as const;
  const quotes = useTenant("GET /v2/foreign-exchange", { query: one }, told);
  const payments = useTenant("GET /v2/payments", { query: { ...one, status: "CAPTURED" } }, told);
  const hooks = useTenant("GET /organizations/{tenant}/webhooks", {}, told);
  const taken = useTenant("GET /organizations/{tenant}/deliveries", { query: { ...one, status: "DELIVERED" } }, told);
  const isKnown = [quotes, payments, hooks, taken].every(({ data }) => data !== undefined);
  if (!isKnown) return null;
  const steps = [
    { ...words.steps.quote, to: "/quotes", isDone: (quotes.data?.quotes.length ?? 0) > 0 },
    {
      ...words.steps.pay,
      to: may("payments:create") ? "/payouts/new" : "/payments",
      isDone: (payments.data?.payments.length ?? 0) > 0,
    },
    { ...words.steps.hook, to: "/webhooks", isDone: (hooks.data?.webhooks.length ?? 0) > 0 },
    { ...words.steps.taken, to: "/webhooks", isDone: (taken.data?.deliveries.length ?? 0) > 0 },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section className="card" aria-label={words.start}>
      <header>
        <h2>{words.start}</h2>
        <span className="quiet small">{words.done(done, steps.length)}</span>
      </header>
      <ol className="steps">
        {steps.map(({ name, lead, to, isDone }) => (
          <li key={name} className={isDone ? "is-done" : ""}>
            <span className="tick" aria-hidden="true">
              {isDone && <Icon name="check" />}
            </span>
            <div>
              {isDone ? <b>{name}</b> : <Link to={to}>{name}</Link>}
              <span className="under">{isDone ? words.isDone : lead}</span>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

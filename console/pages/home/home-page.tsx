import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ListedPayment } from "../../../sdk/src/gen/api";
import { useTenant } from "../../app/data";
import { useSession } from "../../app/session";
import { statusText } from "../../text/status";
import { tenantText } from "../../text/tenant-text";
import { Icon, type IconName } from "../../ui/icon";
import { Money } from "../../ui/money";
import { PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";
import { Steps } from "./steps";
import { sumsOf } from "./sums";

const { home: words } = tenantText;
const most = 200;
const shownAtOnce = 6;
const told = { everyMs: 5_000, isTold: true } as const;

/** The first page of a tenant's people: results of today, and work that waits for a person. */
export function HomePage() {
  const { may } = useSession();
  const from = new Date().toISOString().slice(0, 10);
  const today = useTenant("GET /v2/payments", { query: { from, limit: most } }, told);
  const waiting = useTenant("GET /v2/payments", { query: { status: "PENDING", limit: most } }, told);
  const held = useTenant("GET /v2/payments", { query: { status: "AUTHORIZED", limit: most } }, told);
  const of = (...some: readonly string[]) => today.data?.payments.filter(({ status }) => some.includes(status));
  const paid = of("CAPTURED");
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead}>
        {may("payments:create") && (
          <Link to="/payouts/new" className="button main">
            <Icon name="payout" />
            {tenantText.payments.new}
          </Link>
        )}
      </PageHead>
      {today.error !== null && <ProblemNote error={today.error} retry={() => void today.refetch()} />}
      <div className="stack">
        <div className="queues">
          <Tile icon="check" name={words.paid} search={{ status: "CAPTURED", from }} rows={paid} />
          <Tile icon="clock" name={words.waiting} search={{ status: "PENDING" }} rows={waiting.data?.payments} waits />
          <Tile icon="flag" name={words.held} search={{ status: "AUTHORIZED" }} rows={held.data?.payments} waits />
          <Tile
            icon="cross"
            name={words.declined}
            search={{ status: "DECLINED", from }}
            rows={of("DECLINED", "ERROR")}
          />
        </div>
        <div className="two">
          <div className="stack">
            <Steps />
            <Newest payments={today.data?.payments} />
          </div>
          <div className="stack">
            <Sums payments={paid} />
            <Endpoints />
            {may("balances:read") && <Balances />}
          </div>
        </div>
      </div>
    </>
  );
}

interface TileProps {
  readonly icon: IconName;
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
  readonly rows: readonly ListedPayment[] | undefined;
  /** True for payments that still need an action of a person or a program. */
  readonly waits?: boolean;
}

const Tile = ({ icon, name, search, rows, waits = false }: TileProps) => (
  <Link
    to="/payments"
    search={search}
    className={`card queue${waits && (rows?.length ?? 0) > 0 ? " is-waiting" : ""}`}
    data-row=""
  >
    <span className="row">
      <Icon name={icon} />
      {name}
    </span>
    <b>{rows === undefined ? "·" : rows.length === most ? words.many(most) : rows.length}</b>
  </Link>
);

interface PartProps {
  readonly title: string;
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

const Part = ({ title, more, children }: PartProps) => (
  <section className="card" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {more}
    </header>
    {children}
  </section>
);

/** The last payments of the day. */
function Newest({ payments = [] }: { readonly payments: readonly ListedPayment[] | undefined }) {
  return (
    <Part title={words.newest} more={<Link to="/payments">{words.all}</Link>}>
      {payments.length === 0 ? (
        <p className="inside quiet">{words.noneToday}</p>
      ) : (
        <ul className="lines">
          {payments
            .slice(0, shownAtOnce)
            .map(({ paymentId, externalPaymentId, status, amount, recipient, createdAt }) => (
              <li key={paymentId}>
                <div className="what">
                  <Link to={`/payments/${encodeURIComponent(externalPaymentId)}`} data-row="">
                    {externalPaymentId}
                  </Link>
                  <span className="under">
                    {recipient === null
                      ? tenantText.payments.self
                      : `${recipient.countryCode} · ${statusText(recipient.method)} · `}
                    <Time at={createdAt} />
                  </span>
                </div>
                <div className="end">
                  <Money {...amount} />
                  <Status value={status} />
                </div>
              </li>
            ))}
        </ul>
      )}
    </Part>
  );
}

const Sums = ({ payments }: { readonly payments: readonly ListedPayment[] | undefined }) => (
  <Part title={words.sums}>
    {payments === undefined || payments.length === 0 ? (
      <p className="inside quiet">{words.noSum}</p>
    ) : (
      <ul className="lines">
        {sumsOf(payments).map((sum) => (
          <li key={sum.currency}>
            <span>{sum.currency}</span>
            <b>
              <Money {...sum} />
            </b>
          </li>
        ))}
      </ul>
    )}
  </Part>
);

/** Disabled endpoints, and the number of failed deliveries. */
function Endpoints() {
  const hooks = useTenant("GET /organizations/{tenant}/webhooks", {}, told);
  const failed = useTenant("GET /organizations/{tenant}/deliveries", { query: { status: "FAILED", limit: 100 } }, told);
  const off = hooks.data?.webhooks.filter(({ disabledAt }) => disabledAt !== null) ?? [];
  const lost = failed.data?.deliveries.length ?? 0;
  if (hooks.data === undefined || hooks.data.webhooks.length === 0) return null;
  return (
    <Part title={words.endpoints} more={<Link to="/webhooks">{tenantText.webhooks.title}</Link>}>
      {off.length === 0 && lost === 0 ? (
        <p className="inside row">
          <Icon name="check" />
          {words.allTaken}
        </p>
      ) : (
        <ul className="lines">
          {off.map(({ id, url, disabledReason }) => (
            <li key={id}>
              <div className="what">
                <Link to={`/webhooks/${id}`}>{url}</Link>
                <span className="under">{disabledReason}</span>
              </div>
              <Status value="FAILED" />
            </li>
          ))}
          {lost > 0 && <li>{words.lost(lost)}</li>}
        </ul>
      )}
    </Part>
  );
}

/** Balances at the providers. */
function Balances() {
  const { data } = useTenant("GET /payer/balance", {}, { everyMs: 30_000 });
  if (data === undefined || data.length === 0) return null;
  return (
    <Part title={words.balances}>
      <ul className="lines">
        {data.map(({ providerId, balances }) => (
          <li key={providerId}>
            <span>{providerId}</span>
            <span className="sums">
              {balances.slice(0, 3).map(({ currencyCode, balance }) => (
                <Money key={currencyCode} total={balance} currency={currencyCode} />
              ))}
              {balances.length > 3 && <span className="quiet small">{words.more(balances.length - 3)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

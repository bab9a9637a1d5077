import { useEffect, useState } from "react";
import { tenantText } from "../../text/tenant-text";
import { Icon } from "../../ui/icon";
import { Money } from "../../ui/money";
import { ProblemNote } from "../../ui/problem-note";
import { amountOf, recipientAmountOf } from "./draft";
import type { Payout } from "./use-payout";

const { payout: words } = tenantText;

/** Cost and result of the payout, beside the form while it is filled in. */
export function Summary({ payout, isTold }: { readonly payout: Payout; readonly isTold: boolean }) {
  const { draft, quote, check, faults } = payout;
  const amount = amountOf(draft.total, draft.source);
  const gets = recipientAmountOf(draft);
  const others = (check.answer?.errors ?? []).filter(({ field }) => payout.form?.values[field] === undefined);
  return (
    <aside className="aside" aria-label={words.summary}>
      <div className="card">
        <header>
          <h2>{words.summary}</h2>
        </header>
        <div className="inside price">
          <div>
            <span className="quiet">{words.pay}</span>
            {amount === undefined ? <span className="quiet">—</span> : <Money {...amount} />}
          </div>
          {draft.price !== undefined && (
            <div>
              <span className="quiet">{words.rate}</span>
              <span className="number">{draft.price.rate}</span>
            </div>
          )}
          {(check.answer?.fees ?? []).map(({ eventId, total, currency }) => (
            <div key={eventId}>
              <span className="quiet">{words.fee}</span>
              <Money total={total} currency={currency} />
            </div>
          ))}
          <div className="total">
            <span>{words.gets}</span>
            {gets === undefined ? <span className="quiet">—</span> : <Money {...gets} />}
          </div>
          {draft.price !== undefined && <Left until={draft.price.expiresAt} />}
        </div>
      </div>
      {quote.error !== null && <ProblemNote error={quote.error} />}
      <p className="row small" role="status">
        {faults.length > 0 ? (
          <>
            <Icon name="info" />
            {tenantText.form.left(faults.length)}
          </>
        ) : check.answer?.valid === true ? (
          <>
            <Icon name="check" />
            {words.wouldPass}
          </>
        ) : null}
      </p>
      {isTold && check.error !== null && <ProblemNote error={check.error} />}
      {others.map(({ field, message, code }) => (
        <div className="note wait" key={`${code} ${field}`}>
          <Icon name="alert" />
          <div>
            <p>{message}</p>
            <code>{field}</code>
          </div>
        </div>
      ))}
      <button type="submit" className="button main">
        {words.review}
      </button>
    </aside>
  );
}

/** Shows how long the rate is still valid. It is renewed before it expires. */
function Left({ until }: { readonly until: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1_000));
  return (
    <span className="small quiet number">
      {words.holds(`${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, "0")}`)}
    </span>
  );
}

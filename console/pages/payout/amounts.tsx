import { tenantText } from "../../text/tenant-text";
import { amountText } from "../../ui/amount-text";
import { amountOf, recipientAmountOf } from "./draft";
import type { Payout } from "./use-payout";

const { payout: words } = tenantText;
const sources = ["USD", "EUR", "GBP"];

/** The amount paid, and the amount that arrives. */
export function Amounts({ payout, isTold }: { readonly payout: Payout; readonly isTold: boolean }) {
  const { draft, currencies } = payout;
  const isWrong = isTold && amountOf(draft.total, draft.source) === undefined;
  const gets = recipientAmountOf(draft);
  return (
    <fieldset className="card group">
      <legend className="unseen">{words.groups.amount}</legend>
      <div className="legend" aria-hidden="true">
        {words.groups.amount}
      </div>
      <div className="fields">
        <div className="entry">
          <label htmlFor="payout-total">{words.pay}</label>
          <div className="amounts">
            <input
              id="payout-total"
              className="field number"
              inputMode="decimal"
              autoComplete="off"
              aria-invalid={isWrong}
              aria-required="true"
              aria-describedby={isWrong ? "payout-total-wrong" : undefined}
              value={draft.total}
              onChange={(event) => payout.change({ total: event.target.value })}
            />
            <select
              className="field"
              aria-label={words.payIn}
              value={draft.source}
              onChange={(event) => payout.change({ source: event.target.value })}
            >
              {[...new Set([...sources, ...currencies])].map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </div>
          {isWrong && (
            <span className="wrong" id="payout-total-wrong">
              {words.amountWrong(draft.source)}
            </span>
          )}
        </div>
        <div className="entry">
          <label htmlFor="payout-gets">{words.gets}</label>
          <div className="amounts">
            <input
              id="payout-gets"
              className="field number"
              readOnly
              value={gets === undefined ? "" : amountText(gets.total, gets.currency)}
            />
            <select
              className="field"
              aria-label={words.getIn}
              value={draft.target}
              onChange={(event) => payout.setTarget(event.target.value)}
            >
              {currencies.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </div>
        </div>
        <div className="entry">
          <label htmlFor="payout-ip">{words.ip}</label>
          <input
            id="payout-ip"
            className="field"
            value={draft.ipAddress}
            aria-describedby="payout-ip-hint"
            onChange={(event) => payout.change({ ipAddress: event.target.value })}
          />
          <span className="hint" id="payout-ip-hint">
            {words.ipLead}
          </span>
        </div>
        <div className="entry">
          <label htmlFor="payout-id">{words.id}</label>
          <input
            id="payout-id"
            className="field"
            value={draft.externalPaymentId}
            aria-describedby="payout-id-hint"
            onChange={(event) => payout.change({ externalPaymentId: event.target.value })}
          />
          <span className="hint" id="payout-id-hint">
            {words.idLead}
          </span>
        </div>
      </div>
    </fieldset>
  );
}

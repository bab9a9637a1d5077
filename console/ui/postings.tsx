import type { PaymentTimeline } from "../../sdk/src/gen/api";
import { statusText } from "../text/status";
import { tenantText } from "../text/tenant-text";
import { Money } from "./money";
import { Empty } from "./page";
import { Time } from "./time";

const { payment: words } = tenantText;
type Posting = PaymentTimeline["postings"][number];
type Side = Posting["postings"][number];

/** Postings of one entry. */
export const PostingTable = ({ sides }: { readonly sides: readonly Side[] }) => (
  <table>
    <caption className="unseen">{words.postings}</caption>
    <thead className="unseen">
      <tr>
        <th scope="col">{words.account_}</th>
        <th scope="col">{words.inOut}</th>
      </tr>
    </thead>
    <tbody>
      {sides.map(({ account, currency, amount }, at) => (
        <tr key={`${account} ${currency} ${String(at)}`}>
          <td>
            <code>{account}</code>
          </td>
          <td className="end">
            <Money total={amount} currency={currency} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Every movement of a payment. */
export function Postings({ postings }: { readonly postings: readonly Posting[] }) {
  if (postings.length === 0) {
    return (
      <div className="card">
        <Empty icon="ledger" title={words.noPostings}>
          <p>{words.noPostingsLead}</p>
        </Empty>
      </div>
    );
  }
  return (
    <div className="stack">
      {postings.map(({ kind, at, sequence, postings: sides }) => (
        <section className="card" key={`${kind} ${sequence}`} aria-label={statusText(kind)}>
          <header>
            <h2>{statusText(kind)}</h2>
            <span className="quiet small">
              <Time at={at} />
            </span>
          </header>
          <PostingTable sides={sides} />
        </section>
      ))}
    </div>
  );
}

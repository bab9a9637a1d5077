import type { ReactNode } from "react";
import { tenantText } from "../text/tenant-text";

interface PairsProps {
  readonly of: readonly (readonly [string, ReactNode])[];
}

/** Facts with their names. Unknown ones are left out. */
export const Pairs = ({ of }: PairsProps) => (
  <dl className="pairs">
    {of
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** The facts about the object that a page shows, beside the rest of the page. */
export const FactsCard = ({ of }: PairsProps) => (
  <aside className="card" aria-label={tenantText.payment.facts}>
    <header>
      <h2>{tenantText.payment.facts}</h2>
    </header>
    <div className="inside">
      <Pairs of={of} />
    </div>
  </aside>
);

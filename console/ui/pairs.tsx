import type { ReactNode } from "react";

/** Facts with their names. What is not known is left out. */
export const Pairs = ({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) => (
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

import type { PaymentTimeline } from "../../sdk/src/gen/api";
import { statusText } from "../text/status";
import { toneOf } from "./status";

/** The states that a payment has gone through; the last is the current one. */
export function Track({ states, title }: { readonly states: PaymentTimeline["states"]; readonly title: string }) {
  const last = states.length - 1;
  return (
    <ol className="track" aria-label={title}>
      {states.map(({ to, sequence }, at) => (
        <li key={sequence} className={at === last ? toneOf(to) : ""} aria-current={at === last ? "step" : undefined}>
          {statusText(to)}
        </li>
      ))}
    </ol>
  );
}

import type { ReactNode } from "react";
import type { PaymentTimeline } from "../../sdk/src/gen/api";
import { statusText } from "../text/status";
import { tenantText } from "../text/tenant-text";
import { language } from "../text/text";
import { Icon, type IconName } from "./icon";
import { PostingTable } from "./postings";
import { type Tone, toneOf } from "./status";
import { type Happening, storyOf, toneOfOutcome } from "./story";
import { Time } from "./time";

const { payment: words } = tenantText;
const gapMs = 60_000;

interface Shown {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly title: string;
  readonly more?: ReactNode;
}

function reasonOf(one: { readonly reasonMessage?: string; readonly reasonCode?: string }): ReactNode {
  return one.reasonMessage === undefined ? null : (
    <>
      {one.reasonMessage} <code>{one.reasonCode}</code>
    </>
  );
}

function show(one: Happening): Shown {
  switch (one.kind) {
    case "attempt": {
      const { provider, step, outcome, approach, tookMs } = one.attempt;
      return {
        icon: "bolt",
        tone: toneOfOutcome(outcome),
        title: words.asked(provider, `${approach} ${step}`),
        more: (
          <>
            {statusText(outcome)} · {words.took(tookMs)} {reasonOf(one.attempt)}
          </>
        ),
      };
    }
    case "posting":
      return {
        icon: "ledger",
        tone: "off",
        title: statusText(one.posting.kind),
        more: <PostingTable sides={one.posting.postings} />,
      };
    case "delivery": {
      const { event, status, attempts, lastStatus } = one.delivery;
      return {
        icon: "webhook",
        tone: toneOf(status),
        title: words.told(event),
        more: `${statusText(status)} · ${words.tries(attempts)}${lastStatus === null ? "" : ` · HTTP ${lastStatus}`}`,
      };
    }
    case "compliance":
      return {
        icon: "shield",
        tone: toneOf(one.change.to),
        title: words.compliance(statusText(one.change.to)),
        more: reasonOf(one.change),
      };
    case "payout":
      return {
        icon: "payout",
        tone: toneOf(one.change.to),
        title: words.payout(statusText(one.change.to)),
        more: reasonOf(one.change),
      };
    case "state":
      return {
        icon: "flag",
        tone: toneOf(one.change.to),
        title: statusText(one.change.to),
        more: reasonOf(one.change),
      };
  }
}

/** Whole minutes between two events, if the gap is long enough to notice. */
function gapOf(before: string | null | undefined, at: string | null): string | undefined {
  if (!before || at === null) return undefined;
  const ms = Date.parse(at) - Date.parse(before);
  if (ms < gapMs) return undefined;
  const minutes = Math.round(ms / gapMs);
  const hours = Math.round(minutes / 60);
  const say = (count: number, unit: string): string =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  if (minutes < 90) return say(minutes, "minute");
  return hours < 48 ? say(hours, "hour") : say(Math.round(hours / 24), "day");
}

/** Everything that happened, oldest first. */
export function Story({ timeline }: { readonly timeline: PaymentTimeline }) {
  const story = storyOf(timeline);
  return (
    <section className="card" aria-label={words.timeline}>
      <header>
        <h2>{words.timeline}</h2>
      </header>
      <ol className="story inside">
        {story.map((one, index) => {
          const { icon, tone, title, more } = show(one);
          const gap = gapOf(story[index - 1]?.at, one.at);
          return (
            <li key={one.key}>
              <span className={`dot ${tone}`}>
                <Icon name={icon} />
              </span>
              <div className="what">
                {gap !== undefined && <div className="small quiet">{words.gap(gap)}</div>}
                <b>{title}</b>
                {more !== undefined && more !== null && <div className="small quiet">{more}</div>}
              </div>
              <span className="when">
                <Time at={one.at} />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

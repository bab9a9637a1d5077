import { useEffect, useState } from "react";
import { useSettings } from "../app/settings";
import { language, text } from "../text/text";

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
/** Days before months, as in the English of most of the world. */
const dates = language === "en" ? "en-GB" : language;
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
const exactLocal = new Intl.DateTimeFormat(dates, { dateStyle: "medium", timeStyle: "medium" });
const exactUtc = new Intl.DateTimeFormat(dates, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

function ago(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1_000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return unit === "second" && Math.abs(seconds) < 10
    ? text.time.now
    : relative.format(Math.trunc(seconds / size), unit);
}

/** The current time, updated every half minute. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 30_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** An instant as the reader has chosen to see it; the exact one is in the title. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const { time } = useSettings();
  const now = useNow();
  if (at === null || at === undefined) return <span className="quiet">{text.time.none}</span>;
  const date = new Date(at);
  const local = exactLocal.format(date);
  const utc = `${exactUtc.format(date)} UTC`;
  const shown = time === "relative" ? ago(date, Math.max(now, Date.now())) : time === "local" ? local : utc;
  return (
    <time dateTime={at} title={`${local} · ${utc}`} className="number">
      {shown}
    </time>
  );
}

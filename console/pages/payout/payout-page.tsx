import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTenant } from "../../app/data";
import type { Search } from "../../app/search";
import { useMe } from "../../app/session";
import type { Field } from "../../form/engine";
import { faultOf } from "../../form/engine";
import { Entry, type Shown, wordsOf } from "../../form/fields";
import { tenantText } from "../../text/tenant-text";
import { Icon } from "../../ui/icon";
import { Loading, PageHead } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { Amounts } from "./amounts";
import { Review } from "./review";
import { Summary } from "./summary";
import { type Payout, usePayout } from "./use-payout";

const { payout: words } = tenantText;

/** The parts of the form, by the beginning of their fields' paths. */
const groups = [
  ["account", "recipient.paymentMethod."],
  ["recipient", "recipient."],
  ["purpose", "additionalData."],
  ["sender", "sender."],
] as const;

const groupOf = ({ path }: Field): string | undefined => groups.find(([, start]) => path.startsWith(start))?.[0];

/** A payout, by the rules that the country has published. */
export function PayoutPage() {
  const { country = "" }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const payout = usePayout(country);
  const [isTold, setIsTold] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const told = Object.fromEntries((payout.check.answer?.errors ?? []).map(({ field, message }) => [field, message]));
  const shown: Shown = {
    values: payout.form?.values ?? {},
    onChange: payout.set,
    isTold,
    told,
    advice: Object.fromEntries((payout.check.answer?.advice ?? []).map(({ field, message }) => [field, message])),
  };
  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    setIsTold(true);
    const first = payout.faults[0];
    if (first !== undefined) document.querySelector<HTMLElement>(`[data-path="${first.path}"]`)?.focus();
    else if (payout.body !== undefined) setIsAsking(true);
    else document.getElementById("payout-total")?.focus();
  };
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      <form className="two" noValidate onSubmit={goOn}>
        <div className="form">
          <Where country={country} onChange={(next) => void navigate({ to: ".", search: { country: next } })} />
          {country !== "" && payout.error !== null && <ProblemNote error={payout.error} />}
          {country !== "" && payout.error === null && payout.form === undefined && <Loading />}
          {payout.form !== undefined && (
            <>
              <Tools payout={payout} />
              {groups.map(([group]) => (
                <Group
                  key={group}
                  group={group}
                  fields={payout.form?.fields.filter((field) => groupOf(field) === group) ?? []}
                  shown={shown}
                />
              ))}
              <Amounts payout={payout} isTold={isTold} />
            </>
          )}
        </div>
        {payout.form !== undefined && <Summary payout={payout} isTold={isTold} />}
      </form>
      {isTold && payout.faults.length > 0 && <Faults payout={payout} />}
      {isAsking && payout.body !== undefined && <Review payout={payout} onClose={() => setIsAsking(false)} />}
    </>
  );
}

/** Announces to screen readers how many fields are wrong. */
const Faults = ({ payout }: { readonly payout: Payout }) => (
  <div className="unseen" role="alert">
    {tenantText.form.count(payout.faults.length)}
    <ul>
      {payout.faults.map((field) => {
        const fault = faultOf(field, payout.form?.values[field.path]);
        return <li key={field.path}>{fault === undefined ? field.title : wordsOf(field, fault)}</li>;
      })}
    </ul>
  </div>
);

function Where({ country, onChange }: { readonly country: string; readonly onChange: (country: string) => void }) {
  const { data, error, refetch } = useTenant("GET /reference/destinations", {});
  if (error !== null && data === undefined) return <ProblemNote error={error} retry={() => void refetch()} />;
  const sorted = [...(data?.destinations ?? [])].sort((one, other) => one.name.localeCompare(other.name));
  return (
    <div className="card group">
      <label className="entry" htmlFor="payout-country">
        <span className="legend">{words.where}</span>
        <select
          id="payout-country"
          className="field"
          value={country}
          data-first-filter=""
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{words.chooseCountry}</option>
          {sorted.map(({ countryCodeAlpha3, name, currencies }) => (
            <option key={countryCodeAlpha3} value={countryCodeAlpha3}>
              {`${name} (${currencies.join(", ")})`}
            </option>
          ))}
        </select>
      </label>
      {country === "" && <p className="quiet small">{words.whereLead(sorted.length)}</p>}
    </div>
  );
}

interface GroupProps {
  readonly group: (typeof groups)[number][0];
  readonly fields: readonly Field[];
  readonly shown: Shown;
}

/** Required fields, and optional ones in a collapsed part. */
function Group({ group, fields, shown }: GroupProps) {
  const isNeeded = ({ path, isRequired }: Field): boolean => isRequired || (shown.values[path] ?? "") !== "";
  const needed = fields.filter(isNeeded);
  const more = fields.filter((field) => !isNeeded(field) && !field.path.endsWith(".countryCode"));
  if (fields.length === 0) return null;
  return (
    <fieldset className="card group">
      <legend className="unseen">{words.groups[group]}</legend>
      <div className="legend" aria-hidden="true">
        {words.groups[group]}
      </div>
      {needed.length > 0 && (
        <div className="fields">
          {needed
            .filter(({ path, choices }) => !(path === "recipient.paymentMethod.countryCode" && choices?.length === 1))
            .map((field) => (
              <Entry key={field.path} field={field} shown={shown} />
            ))}
        </div>
      )}
      {more.length > 0 && (
        <details className="more">
          <summary>{tenantText.form.more(more.length)}</summary>
          <div className="fields">
            {more.map((field) => (
              <Entry key={field.path} field={field} shown={shown} />
            ))}
          </div>
        </details>
      )}
    </fieldset>
  );
}

/** On a platform without real money: an example to fill in, and a scenario for the rail. */
function Tools({ payout }: { readonly payout: Payout }) {
  const { profile } = useMe();
  if (profile === "production") return null;
  const type = payout.form?.values["recipient.paymentMethod.type"];
  const typeOf = (example: object): string | undefined => {
    const { recipient } = example as { readonly recipient?: { readonly paymentMethod?: { readonly type?: string } } };
    return recipient?.paymentMethod?.type;
  };
  const example = payout.examples.find((one) => typeOf(one) === type) ?? payout.examples[0];
  return (
    <div className="note">
      <Icon name="bolt" />
      <div>
        <p>{words.sandbox}</p>
        <div className="row tools">
          {example !== undefined && (
            <button type="button" className="button small" onClick={() => payout.fill(example)}>
              {words.example}
            </button>
          )}
          <label className="row small">
            {words.scenario}
            <select
              className="field"
              value={payout.draft.scenario}
              onChange={(event) => payout.change({ scenario: event.target.value })}
            >
              {words.scenarios.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
    </div>
  );
}

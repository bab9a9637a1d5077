import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { tenantText } from "../text/tenant-text";
import { ActionButton } from "./confirm";
import { Icon } from "./icon";

const words = tenantText.views;

interface View {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

const placeOf = (list: string): string => `corridor.views.${list}`;

function readViews(list: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeOf(list)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (one: unknown): one is View =>
  typeof one === "object" && one !== null && "name" in one && typeof one.name === "string" && "values" in one;

/** Equal for equal filters, in any order. */
function sameAs(values: View["values"]): string {
  const all = new URLSearchParams(values);
  all.sort();
  return all.toString();
}

interface Props {
  /** Name of the list: each list has its own views. */
  readonly list: string;
  /** The active filters. */
  readonly values: Readonly<Record<string, string>>;
}

/** Filters that were saved under a name, in this browser. */
export function SavedViews({ list, values }: Props) {
  const [views, setViews] = useState(() => readViews(list));
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const keep = (next: readonly View[]): void => {
    localStorage.setItem(placeOf(list), JSON.stringify(next));
    setViews(next);
  };
  const shown = sameAs(values);
  const isOn = Object.keys(values).length > 0;
  const save = (): Promise<void> => {
    const kept = name.trim();
    if (kept === "") return Promise.reject(new Error(words.nameless));
    keep([...views.filter((one) => one.name !== kept), { name: kept, values }]);
    return Promise.resolve();
  };
  if (views.length === 0 && !isOn) return null;
  return (
    <nav className="row views" aria-label={words.title}>
      {views.map((view) => {
        const isHere = sameAs(view.values) === shown;
        return (
          <span className="row tight" key={view.name}>
            <button
              type="button"
              className="button small"
              aria-pressed={isHere}
              onClick={() => void navigate({ to: ".", search: view.values })}
            >
              {view.name}
            </button>
            {isHere && (
              <button
                type="button"
                className="plain"
                aria-label={words.forget(view.name)}
                title={words.forget(view.name)}
                onClick={() => keep(views.filter((one) => one.name !== view.name))}
              >
                <Icon name="cross" />
              </button>
            )}
          </span>
        );
      })}
      {isOn && (
        <ActionButton
          label={words.save}
          className="button small"
          title={words.saveAsk}
          action={words.save}
          run={save}
          onDone={() => setName("")}
        >
          <label className="entry">
            {words.name}
            <input
              className="field"
              autoComplete="off"
              maxLength={40}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <p className="small quiet">{words.lead}</p>
        </ActionButton>
      )}
    </nav>
  );
}

import { useId } from "react";
import { text } from "../text/text";
import { Icon } from "./icon";

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The choices; free text without them. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly type?: "text" | "date";
}

export type FilterValues = Readonly<Record<string, string | undefined>>;

/** Returns the active filters. Other parts of the address, such as the position in a list, are not filters. */
export const chosenOf = (filters: readonly Filter[], values: FilterValues): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = values[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

interface Props {
  readonly filters: readonly Filter[];
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

/** The filters of a list. Their values are only in the address of the page. */
export function Filters({ filters, values, onChange }: Props) {
  const id = useId();
  const isOn = Object.keys(chosenOf(filters, values)).length > 0;
  const set = (name: string, value: string): void => {
    onChange({ ...Object.fromEntries(filters.map((one) => [one.name, values[one.name]])), [name]: value || undefined });
  };
  return (
    <search className="filters" aria-label={text.filters.title}>
      {filters.map(({ name, label, options, type = "text" }, at) => (
        <label key={name} htmlFor={`${id}-${name}`}>
          {label}
          {options === undefined ? (
            <input
              id={`${id}-${name}`}
              className="field"
              type={type}
              key={values[name] ?? ""}
              defaultValue={values[name] ?? ""}
              data-first-filter={at === 0 ? "" : undefined}
              onBlur={(event) => event.target.value !== (values[name] ?? "") && set(name, event.target.value.trim())}
              onKeyDown={(event) => event.key === "Enter" && set(name, event.currentTarget.value.trim())}
            />
          ) : (
            <select
              id={`${id}-${name}`}
              className="field"
              value={values[name] ?? ""}
              data-first-filter={at === 0 ? "" : undefined}
              onChange={(event) => set(name, event.target.value)}
            >
              <option value="">{text.filters.all}</option>
              {options.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </label>
      ))}
      {isOn && (
        <button type="button" className="button" onClick={() => onChange({})}>
          <Icon name="cross" />
          {text.filters.clear}
        </button>
      )}
    </search>
  );
}

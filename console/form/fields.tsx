import { useId } from "react";
import { statusText } from "../text/status";
import { tenantText } from "../text/tenant-text";
import { type Fault, type Field, faultOf, type Values } from "./engine";

/** Up to this many choices are shown side by side; more become a list. */
const mostRadios = 4;

export interface Shown {
  readonly values: Values;
  readonly onChange: (path: string, value: string) => void;
  /** True once the person has tried to continue: from then on each field shows at once what is wrong. */
  readonly isTold: boolean;
  /** The platform's messages about fields that look valid. */
  readonly told: Readonly<Record<string, string>>;
  /** Fields that look mistyped and are not refused. */
  readonly advice: Readonly<Record<string, string>>;
}

/** Returns what is wrong with a field, in words. */
export function wordsOf(field: Field, fault: Fault): string {
  const title = field.title;
  const words = tenantText.form.fault[fault](title);
  return fault === "pattern" && field.example !== undefined ? `${words} ${tenantText.form.like(field.example)}` : words;
}

/** One field with its label, its help and what is wrong with it. */
export function Entry({ field, shown }: { readonly field: Field; readonly shown: Shown }) {
  const id = useId();
  const { path, help, example, isRequired, choices = [] } = field;
  const value = shown.values[path] ?? "";
  const fault = shown.isTold ? faultOf(field, value) : undefined;
  const wrong = fault === undefined ? shown.told[path] : wordsOf(field, fault);
  const advice = shown.advice[path];
  const hint = help ?? (example === undefined ? undefined : tenantText.form.like(example));
  const described = [hint && `${id}-hint`, wrong && `${id}-wrong`, advice && `${id}-advice`].filter(Boolean).join(" ");
  const isRadio = choices.length > 1 && choices.length <= mostRadios;
  const label = (
    <>
      {field.title}
      {!isRequired && <span className="optional"> {tenantText.form.optional}</span>}
    </>
  );
  return (
    <div className="entry">
      {isRadio ? (
        <span className="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label htmlFor={id}>{label}</label>
      )}
      <Control id={id} field={field} value={value} described={described} isWrong={wrong !== undefined} shown={shown} />
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong !== undefined && (
        <span className="wrong" id={`${id}-wrong`}>
          {wrong}
        </span>
      )}
      {advice !== undefined && (
        <span className="advice" id={`${id}-advice`}>
          {advice}
        </span>
      )}
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly field: Field;
  readonly value: string;
  readonly described: string;
  readonly isWrong: boolean;
  readonly shown: Shown;
}

function Control({ id, field, value, described, isWrong, shown }: ControlProps) {
  const { path, choices = [], rules, example, isRequired, meanings, inputMode } = field;
  const wordOf = (choice: string): string => meanings?.[choice] ?? plainWord(choice);
  const set = (next: string): void => shown.onChange(path, next);
  const common = {
    id,
    className: "field",
    "aria-invalid": isWrong,
    "aria-required": isRequired,
    "data-path": path,
    ...(described === "" ? {} : { "aria-describedby": described }),
  };
  if (choices.length === 1 && isRequired) return <input {...common} value={wordOf(value)} readOnly />;
  if (choices.length > 1 && choices.length <= mostRadios) {
    return (
      <div className="choices" role="radiogroup" aria-labelledby={`${id}-label`}>
        {choices.map((choice, at) => (
          <label key={choice}>
            <input
              type="radio"
              name={path}
              value={choice}
              checked={value === choice}
              onChange={() => set(choice)}
              {...(at === 0 ? { "data-path": path } : {})}
            />
            {wordOf(choice)}
          </label>
        ))}
      </div>
    );
  }
  if (choices.length > 0) {
    return (
      <select {...common} value={value} onChange={(event) => set(event.target.value)}>
        <option value="">{tenantText.form.choose}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {meanings?.[choice] === undefined ? wordOf(choice) : `${wordOf(choice)} (${choice})`}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...common}
      type={rules.format === "date" ? "date" : "text"}
      value={value}
      {...(inputMode === undefined ? {} : { inputMode })}
      {...(example === undefined || field.help === undefined ? {} : { placeholder: example })}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => set(event.target.value)}
    />
  );
}

/** Codes stay codes; words become words. */
const plainWord = (value: string): string => (/^[A-Z]+_[A-Z_]+$|^[A-Z]{5,}$/.test(value) ? statusText(value) : value);

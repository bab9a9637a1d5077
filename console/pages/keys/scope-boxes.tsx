interface Props {
  readonly title: string;
  readonly known: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Checkboxes for scopes. */
export const ScopeBoxes = ({ title, known, chosen, onChange }: Props) => (
  <fieldset className="stack tight">
    <legend>{title}</legend>
    {known.map((scope) => (
      <label key={scope} className="row">
        <input
          type="checkbox"
          checked={chosen.includes(scope)}
          onChange={() => onChange(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope])}
        />
        <code>{scope}</code>
      </label>
    ))}
  </fieldset>
);

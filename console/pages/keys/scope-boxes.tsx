interface Props<Scope> {
  readonly title: string;
  readonly known: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

/** Checkboxes for scopes. */
export const ScopeBoxes = <Scope extends string>({ title, known, chosen, onChange }: Props<Scope>) => (
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

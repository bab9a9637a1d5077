interface NoteFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Where people say why they do what a command does. */
export const NoteField = ({ label, value, onChange }: NoteFieldProps) => (
  <label className="entry">
    {label}
    <textarea className="field" value={value} onChange={(event) => onChange(event.target.value)} />
  </label>
);

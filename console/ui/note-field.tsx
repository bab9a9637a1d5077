interface NoteFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field in which people give the reason for a command. */
export const NoteField = ({ label, value, onChange }: NoteFieldProps) => (
  <label className="entry">
    {label}
    <textarea className="field" value={value} onChange={(event) => onChange(event.target.value)} />
  </label>
);

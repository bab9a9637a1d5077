import { text } from "../text/text";
import { Dialog } from "../ui/dialog";
import type { Key } from "./keys";
import { useSettings } from "./settings";

/** Every key, and the switch that turns single ones off. */
export function KeyHelp({ table, onClose }: { readonly table: readonly Key[]; readonly onClose: () => void }) {
  const { hasKeys, setKeys } = useSettings();
  return (
    <Dialog title={text.keys.title} onClose={onClose}>
      <dl className="keys">
        <Row keys="Ctrl K" words={text.keys.palette} />
        {table.map(({ keys, words }) => (
          <Row key={keys} keys={keys} words={words} />
        ))}
        <Row keys="Esc" words={text.keys.close} />
      </dl>
      <label className="row">
        <input type="checkbox" checked={hasKeys} onChange={(event) => setKeys(event.target.checked)} />
        {text.keys.single}
      </label>
      <div className="ends">
        <button type="button" className="button" onClick={onClose}>
          {text.dialog.close}
        </button>
      </div>
    </Dialog>
  );
}

const Row = ({ keys, words }: { readonly keys: string; readonly words: string }) => (
  <>
    <dt>{words}</dt>
    <dd>
      {keys.split(" ").map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dd>
  </>
);

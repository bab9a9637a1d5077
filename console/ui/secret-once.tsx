import { tenantText } from "../text/tenant-text";
import { text } from "../text/text";
import { Dialog } from "./dialog";
import { CopyButton } from "./id";

const { secret: words } = tenantText;

/** A secret that is shown once: it is in no address, and disappears from the page when it is closed. */
export const SecretOnce = ({ value, onClose }: { readonly value: string; readonly onClose: () => void }) => (
  <Dialog title={words.once} onClose={onClose}>
    <p className="quiet">{words.onceLead}</p>
    <div className="secret">
      <code>{value}</code>
      <CopyButton value={value} label={text.id.copy(words.name)} />
    </div>
    <div className="ends">
      <button type="button" className="button main" onClick={onClose}>
        {words.kept}
      </button>
    </div>
  </Dialog>
);

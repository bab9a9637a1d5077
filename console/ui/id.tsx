import { text } from "../text/text";
import { Icon } from "./icon";
import { useToast } from "./toast";

const short = (id: string): string => (id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);

/** An id: short to read, whole to copy. */
export function Id({ value, isWhole = false }: { readonly value: string; readonly isWhole?: boolean }) {
  return (
    <span className="id">
      <code title={value}>{isWhole ? value : short(value)}</code>
      <CopyButton value={value} label={text.id.copy(short(value))} />
    </span>
  );
}

export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const toast = useToast();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    toast(text.id.copied);
  };
  return (
    <button
      type="button"
      className="plain"
      data-copy={value}
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
    </button>
  );
}

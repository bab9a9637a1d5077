import { type ReactNode, useEffect, useId, useRef } from "react";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
  /** False if the name is for screen readers only. */
  readonly showsTitle?: boolean;
}

/** A dialogue above the page. The browser keeps the focus in it, closes it by Escape and gives the focus back. */
export function Dialog({ title, onClose, children, className, showsTitle = true }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    if (shown?.open === false) shown.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={className}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div>
        <h2 id={id} className={showsTitle ? "" : "unseen"}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

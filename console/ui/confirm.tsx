import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { text } from "../text/text";
import { Dialog } from "./dialog";
import { ProblemNote } from "./problem-note";

interface Props {
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly isDanger?: boolean;
  readonly run: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before an action, carries it out once, and says why if it was refused. */
export function Confirm({ title, action, children, isDanger = false, run, onDone, onClose }: Props) {
  const doing = useMutation({ mutationFn: run, onSuccess: onDone });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {doing.error !== null && <ProblemNote error={doing.error} />}
      <div className="ends">
        <button type="button" className="button" onClick={onClose}>
          {text.dialog.back}
        </button>
        <button
          type="button"
          className={`button ${isDanger ? "danger" : "main"}`}
          disabled={doing.isPending}
          onClick={() => doing.mutate()}
        >
          {doing.isPending ? text.dialog.running : action}
        </button>
      </div>
    </Dialog>
  );
}

/** A button with its question. */
export function ActionButton({
  label,
  children,
  className = "button",
  ...rest
}: Omit<Props, "onClose" | "onDone"> & {
  readonly label: ReactNode;
  readonly className?: string;
  readonly onDone: () => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const done = (): void => {
    close();
    rest.onDone();
  };
  return (
    <>
      <button type="button" className={className} onClick={() => setIsOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Confirm {...rest} onClose={close} onDone={done}>
          {children}
        </Confirm>
      )}
    </>
  );
}

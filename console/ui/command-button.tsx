import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Waiting } from "../app/command";
import { operatorText } from "../text/operator-text";
import { ActionButton } from "./confirm";
import { useToast } from "./toast";

interface Props {
  readonly label: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly isDanger?: boolean;
  readonly run: () => Promise<Waiting | undefined>;
  readonly onDone: () => void;
}

/** A command of an operator. If it waits for a second operator, its page links to the approval. */
export function CommandButton({ run, onDone, ...rest }: Props) {
  const toast = useToast();
  const navigate = useNavigate();
  return (
    <ActionButton
      {...rest}
      action={rest.label}
      run={async () => {
        const waiting = await run();
        if (waiting === undefined) toast(operatorText.command.done);
        else {
          toast(operatorText.command.waits);
          void navigate({ to: `/desk/approvals/${waiting.approval}` });
        }
      }}
      onDone={onDone}
    >
      {rest.children}
    </ActionButton>
  );
}

import { useLinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface Target {
  readonly to: string;
  readonly search?: (now: object) => object;
  readonly resetScroll?: boolean;
}

interface Props {
  readonly link: Target;
  /** True for where one is. The router itself knows only whether an address begins like another. */
  readonly isHere: boolean;
  readonly children: ReactNode;
}

/** A link of a navigation. */
export function NavLink({ link, isHere, children }: Props) {
  const { children: _, ...props } = useLinkProps(link as Parameters<typeof useLinkProps>[0]);
  return (
    <a {...props} aria-current={isHere ? "page" : undefined}>
      {children}
    </a>
  );
}

import { useLinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface Target {
  readonly to: string;
  readonly search?: (now: object) => object;
  readonly resetScroll?: boolean;
}

interface Props {
  readonly link: Target;
  /** True for the current place. The router itself only knows whether an address begins with another. */
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

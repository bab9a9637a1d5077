import { type ReactNode, useEffect, useRef } from "react";
import { text } from "../text/text";
import { Icon, type IconName } from "./icon";

interface HeadProps {
  readonly title: ReactNode;
  readonly name: string;
  readonly lead?: ReactNode;
  readonly crumbs?: ReactNode;
  readonly children?: ReactNode;
}

/** The head of a page. Its title gets the focus when the person comes from another page. */
export function PageHead({ title, name, lead, crumbs, children }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = text.page.title(name);
    // The first page of a visit leaves the focus where the browser has put it.
    if (document.activeElement === document.body && hasCome) heading.current?.focus();
    hasCome = true;
  }, [name]);
  return (
    <div className="page-head">
      <div>
        {crumbs !== undefined && (
          <nav className="crumbs" aria-label={text.page.crumbs}>
            {crumbs}
          </nav>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      <div className="row">{children}</div>
    </div>
  );
}

let hasCome = false;

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly command?: string;
}

/** The content of an empty place: what would be here, and the next step. */
export const Empty = ({ icon, title, children, command }: EmptyProps) => (
  <div className="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children !== undefined && <div className="stack">{children}</div>}
    {command !== undefined && (
      <pre>
        <code>{command}</code>
      </pre>
    )}
  </div>
);

/** The placeholder while content is loading. */
export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div className="card" aria-busy="true">
    <div className="inside stack">
      <span className="unseen">{text.page.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <div key={String(at)} className="skeleton" style={{ width: `${94 - ((at * 17) % 40)}%` }} />
      ))}
    </div>
  </div>
);

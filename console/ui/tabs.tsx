import { Link } from "@tanstack/react-router";

interface Props {
  readonly label: string;
  readonly tabs: readonly (readonly [tab: string, words: string])[];
  readonly chosen: string;
}

/** Parts of a page, each with an address. */
export const Tabs = ({ label, tabs, chosen }: Props) => (
  <nav className="tabs" aria-label={label}>
    {tabs.map(([tab, words], at) => (
      <Link
        key={tab}
        to="."
        search={(now: object) => ({ ...now, tab: at === 0 ? undefined : tab, after: undefined })}
        aria-current={tab === chosen ? "page" : undefined}
        activeProps={{}}
        resetScroll={false}
      >
        {words}
      </Link>
    ))}
  </nav>
);

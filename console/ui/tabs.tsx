import { NavLink } from "./nav-link";

interface Props {
  readonly label: string;
  readonly tabs: readonly (readonly [tab: string, words: string])[];
  readonly chosen: string;
}

/** Parts of a page, each with an address. */
export const Tabs = ({ label, tabs, chosen }: Props) => (
  <nav className="tabs" aria-label={label}>
    {tabs.map(([tab, words], at) => (
      <NavLink
        key={tab}
        isHere={tab === chosen}
        link={{
          to: ".",
          search: (now: object) => ({ ...now, tab: at === 0 ? undefined : tab, after: undefined }),
          resetScroll: false,
        }}
      >
        {words}
      </NavLink>
    ))}
  </nav>
);

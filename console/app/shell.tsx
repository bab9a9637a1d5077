import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { chooseLanguage, languages } from "../text/languages";
import { language, text } from "../text/text";
import { Icon } from "../ui/icon";
import mark from "../ui/mark.svg?url";
import { NavLink } from "../ui/nav-link";
import { Loading } from "../ui/page";
import { noteUse } from "./activity";
import { useKeys, useKeyTable } from "./keys";
import { LiveProvider, useIsLive } from "./live";
import type { Me } from "./me";
import { placesOf } from "./places";
import { useMe, useSession } from "./session";
import { useSettings } from "./settings";

const Palette = lazy(async () => ({ default: (await import("./palette")).Palette }));
const LogInAgain = lazy(async () => ({ default: (await import("./log-in-again")).LogInAgain }));
const Expiry = lazy(async () => ({ default: (await import("./expiry")).Expiry }));
const DeveloperPanel = lazy(async () => ({ default: (await import("./developer-panel")).DeveloperPanel }));
const KeyHelp = lazy(async () => ({ default: (await import("./key-help")).KeyHelp }));

/** The frame around every page. */
export const Shell = () => (
  <LiveProvider>
    <Frame />
  </LiveProvider>
);

function Frame() {
  const [box, setBox] = useState<"palette" | "help" | undefined>();
  const [isOpen, setIsOpen] = useState(false);
  const { asks } = useSession();
  const close = useCallback(() => setBox(undefined), []);
  const openPalette = useCallback(() => setBox("palette"), []);
  const openHelp = useCallback(() => setBox("help"), []);
  const [hasPanel, setHasPanel] = useState(false);
  const togglePanel = useCallback(() => setHasPanel((now) => !now), []);
  const table = useKeyTable({ openPalette, openHelp, togglePanel });
  useKeys(table, openPalette);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(noteUse, []);
  // A dialogue that a key opens has to be there when the next key is pressed.
  useEffect(() => void Promise.all([import("./palette"), import("./key-help"), import("./log-in-again")]), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who has come to a page wants to see it.
  useEffect(() => setIsOpen(false), [path]);
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {text.shell.skip}
      </a>
      <Side isOpen={isOpen} path={path} />
      <div>
        <Bar
          openPalette={openPalette}
          openHelp={openHelp}
          togglePanel={togglePanel}
          hasPanel={hasPanel}
          toggleSide={() => setIsOpen((now) => !now)}
          isOpen={isOpen}
        />
        <main id="main" tabIndex={-1}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
        <Suspense>{hasPanel && <DeveloperPanel page={path} onClose={togglePanel} />}</Suspense>
      </div>
      <Suspense>
        {box === "palette" && <Palette onClose={close} />}
        {box === "help" && <KeyHelp table={table} onClose={close} />}
        <Expiry />
        {asks !== undefined && <LogInAgain asks={asks} />}
      </Suspense>
    </div>
  );
}

/** The current place is the longest address that the path begins with. */
function hereOf(me: Me, path: string): string | undefined {
  const fitting = placesOf(me).filter(({ to }) => path === to || path.startsWith(`${to}/`));
  return fitting.sort((one, other) => other.to.length - one.to.length)[0]?.to;
}

function Side({ isOpen, path }: { readonly isOpen: boolean; readonly path: string }) {
  const me = useMe();
  const places = placesOf(me);
  const here = hereOf(me, path);
  return (
    <div className={`side${isOpen ? " is-open" : ""}`} id="side">
      <Link to="/" className="brand">
        <img src={mark} alt="" />
        <span>
          {text.shell.name}
          <small>{me.isOperator ? text.shell.operations : (me.tenants[0]?.tenant ?? "")}</small>
        </span>
      </Link>
      <nav aria-label={text.shell.navigation} className="stack">
        {[...new Set(places.map(({ group }) => group))].map((group) => (
          <div key={group}>
            <h2>{group}</h2>
            <ul>
              {places
                .filter((place) => place.group === group)
                .map(({ to, name, icon }) => (
                  <li key={to}>
                    <NavLink link={{ to }} isHere={to === here}>
                      <Icon name={icon} />
                      {name}
                    </NavLink>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      {me.profile !== "production" && (
        <footer className="small quiet">
          <span className="pill wait">{text.shell.profile[me.profile]}</span>
        </footer>
      )}
    </div>
  );
}

interface BarProps {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
  readonly togglePanel: () => void;
  readonly hasPanel: boolean;
  readonly toggleSide: () => void;
  readonly isOpen: boolean;
}

function Bar({ openPalette, openHelp, togglePanel, hasPanel, toggleSide, isOpen }: BarProps) {
  const { time, theme, nextTime, nextTheme } = useSettings();
  const isDark = theme === "dark";
  return (
    <header className="bar">
      <button
        type="button"
        className="plain side-open"
        aria-expanded={isOpen}
        aria-controls="side"
        aria-label={text.shell.menu}
        onClick={toggleSide}
      >
        <Icon name="menu" />
      </button>
      <button type="button" className="find" onClick={openPalette}>
        <Icon name="search" />
        <span>{text.shell.find}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className="grow" />
      <LiveMark />
      <button type="button" className="plain wide" onClick={nextTime} title={text.shell.timeTitle}>
        <Icon name="clock" />
        {text.shell.time[time]}
      </button>
      <button
        type="button"
        className="plain"
        onClick={nextTheme}
        aria-label={text.shell.theme[theme]}
        title={text.shell.theme[theme]}
      >
        <Icon name={isDark ? "moon" : "sun"} />
      </button>
      <button
        type="button"
        className="plain wide-only"
        onClick={togglePanel}
        aria-pressed={hasPanel}
        aria-label={text.keys.panel}
        title={`${text.keys.panel} (~)`}
      >
        <Icon name="bolt" />
      </button>
      <button
        type="button"
        className="plain wide-only"
        onClick={openHelp}
        aria-label={text.keys.help}
        title={text.keys.help}
      >
        <kbd>?</kbd>
      </button>
      <Who />
    </header>
  );
}

/** Shows whether the page follows the feed. */
function LiveMark() {
  const isLive = useIsLive();
  return (
    <span role="status" className="wide-only">
      {isLive !== undefined && (
        <span
          className={`pill ${isLive ? "good" : "wait"}`}
          title={isLive ? text.shell.liveLead : text.shell.staleLead}
        >
          {isLive ? text.shell.live : text.shell.stale}
        </span>
      )}
    </span>
  );
}

const letters = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .slice(0, 2)
    .join("")
    .toUpperCase();

function Who() {
  const me = useMe();
  const { logOut } = useSession();
  const name = me.name ?? text.shell.roles(me.roles);
  return (
    <details className="who">
      <summary>
        <span className="face" aria-hidden="true">
          {letters(name)}
        </span>
        <span className="unseen">{text.shell.account}</span>
        <span className="who-name">{name}</span>
      </summary>
      <div className="who-box">
        <div>
          <b>{name}</b>
          <div className="quiet small">{me.isOperator ? text.shell.operations : (me.tenants[0]?.tenant ?? "")}</div>
        </div>
        <div className="row">
          {me.roles.map((role) => (
            <span className="pill" key={role}>
              {role}
            </span>
          ))}
        </div>
        <label className="entry">
          {text.shell.language}
          <select className="field" value={language} onChange={(event) => chooseLanguage(event.target.value)}>
            {Object.entries(languages).map(([tag, own]) => (
              <option key={tag} value={tag} lang={tag}>
                {own}
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="button" onClick={() => void logOut()}>
          <Icon name="out" />
          {text.shell.logOut}
        </button>
      </div>
    </details>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { text } from "../text/text";
import { placesOf } from "./places";
import { useMe } from "./session";
import { useSettings } from "./settings";

export interface Key {
  /** The keys as pressed: `g p` means one after the other. */
  readonly keys: string;
  readonly words: string;
  readonly run: () => void;
}

export interface KeyDeps {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
  readonly togglePanel: () => void;
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-row]")];

/** Moves the focus through the rows of the list. */
function goBy(step: number): void {
  const all = rows();
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[at === -1 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}

/** Copies the id of the focused row, otherwise the first id of the page. */
function copyId(): void {
  const row = document.activeElement?.closest("tr") ?? document.querySelector("main");
  row?.querySelector<HTMLElement>("[data-copy]")?.click();
}

/** Every single key. The page of keys is made from it, so it lists no key without an action. */
export function useKeyTable({ openPalette, openHelp, togglePanel }: KeyDeps): readonly Key[] {
  const { nextTime, nextTheme } = useSettings();
  const navigate = useNavigate();
  const me = useMe();
  const focus = (what: string) => () => document.querySelector<HTMLElement>(what)?.focus();
  return [
    { keys: "?", words: text.keys.help, run: openHelp },
    { keys: "/", words: text.keys.filter, run: focus("[data-first-filter]") },
    { keys: "j", words: text.keys.next, run: () => goBy(1) },
    { keys: "k", words: text.keys.before, run: () => goBy(-1) },
    { keys: "c", words: text.keys.copy, run: copyId },
    { keys: "t", words: text.keys.time, run: nextTime },
    { keys: "d", words: text.keys.theme, run: nextTheme },
    { keys: "~", words: text.keys.panel, run: togglePanel },
    { keys: "s", words: text.keys.search, run: openPalette },
    ...placesOf(me).flatMap(({ key, name, to }) =>
      key === undefined ? [] : [{ keys: `g ${key}`, words: text.keys.go(name), run: () => void navigate({ to }) }],
    ),
  ];
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]");

/** Runs the keys of the table; none fires in a field, in a dialogue, or when they are switched off. */
export function useKeys(table: readonly Key[], openPalette: () => void): void {
  const { hasKeys } = useSettings();
  useEffect(() => {
    let begun = "";
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      const isOther = event.ctrlKey || event.metaKey || event.altKey;
      if (!hasKeys || isOther || isTyping(event.target) || document.querySelector("dialog[open]") !== null) return;
      const keys = begun === "" ? event.key : `${begun} ${event.key}`;
      begun = begun === "" && event.key === "g" ? "g" : "";
      const found = table.find((one) => one.keys === keys);
      if (found === undefined) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [table, hasKeys, openPalette]);
}

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { tenantText } from "../text/tenant-text";
import { Dialog } from "../ui/dialog";
import { Icon, type IconName } from "../ui/icon";
import { useSettled } from "../ui/use-settled";
import { callOperator, callTenant } from "./api";
import { type Anything, pageOf } from "./found";
import type { Me } from "./me";
import { placesOf } from "./places";
import { useMe, useSession } from "./session";

interface Choice {
  readonly key: string;
  readonly icon: IconName;
  readonly words: string;
  readonly more: string;
  readonly to: string | undefined;
}

/** Shorter texts cannot be ids. */
const shortestId = 3;
/** Pause in typing before a search, milliseconds: an id is searched for once, and not after each of its letters. */
const quietMs = 150;

async function find(me: Me, q: string): Promise<readonly Anything[]> {
  if (me.isOperator) return (await callOperator("GET /search", { query: { q } })).found;
  return (await callTenant("GET /search", { query: { q } })).found;
}

/** Leads anywhere: to a page by its name, to any object by any of its ids. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const me = useMe();
  const { may } = useSession();
  const list = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const q = typed.trim();
  const settled = useSettled(q, quietMs);
  const search = useQuery({
    queryKey: ["find", settled],
    queryFn: () => find(me, settled),
    enabled: may("search:use") && settled === q && q.length >= shortestId && !q.includes(" "),
    placeholderData: () => undefined,
  });
  const choices = [...foundOf(search.data ?? [], me), ...placesLike(me, q)];
  const chosen = choices[Math.min(at, choices.length - 1)];
  const go = (choice: Choice | undefined): void => {
    if (choice?.to === undefined) return;
    onClose();
    void navigate({ to: choice.to });
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setAt((now) => Math.min(choices.length - 1, now + 1));
    else if (event.key === "ArrowUp") setAt((now) => Math.max(0, now - 1));
    else if (event.key === "Enter") go(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={tenantText.palette.title} onClose={onClose} className="palette" showsTitle={false}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-label={tenantText.palette.title}
        aria-activedescendant={chosen === undefined ? undefined : `${list}-${choices.indexOf(chosen)}`}
        placeholder={tenantText.palette.hint}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label={tenantText.palette.title} tabIndex={-1}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y: a select has no marks beside its words, and the field above takes the keys.
          <div
            key={choice.key}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={choice === chosen}
            onClick={() => go(choice)}
          >
            <Icon name={choice.icon} />
            <span>{choice.words}</span>
            <span className="quiet small">{choice.more}</span>
          </div>
        ))}
      </div>
      <footer role="status">
        {stateOf(q, { ...search, isFetching: search.isFetching || settled !== q }, choices.length)}
      </footer>
    </Dialog>
  );
}

function stateOf(q: string, search: { isFetching: boolean; error: Error | null }, count: number): string {
  if (search.error !== null) return search.error.message;
  if (search.isFetching) return tenantText.palette.searching;
  return q !== "" && count === 0 ? tenantText.palette.nothing : tenantText.palette.help;
}

const placesLike = (me: Me, q: string): readonly Choice[] =>
  placesOf(me)
    .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
    .map(({ to, name, icon, key }) => ({ key: to, icon, words: name, more: key === undefined ? "" : `g ${key}`, to }));

const foundOf = (found: readonly Anything[], me: Me): readonly Choice[] =>
  found.map((one) => ({
    key: `${one.kind} ${one.id} ${one.parentId ?? ""}`,
    icon: "search",
    words: one.externalId ?? one.id,
    more: one.kind,
    to: pageOf(one, me.isOperator),
  }));

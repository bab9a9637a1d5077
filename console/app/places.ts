import { text } from "../text/text";
import type { IconName } from "../ui/icon";
import type { Permission } from "./may";
import type { Me } from "./me";

/** A page that the navigation, the palette and a pair of keys lead to. */
export interface Place {
  readonly to: string;
  readonly name: string;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key?: string;
  /** Permission that the page needs; without one all people of its side see it. */
  readonly needs?: Permission;
  readonly group: string;
}

const { nav } = text;

const tenantPlaces: readonly Place[] = [
  { to: "/home", name: nav.home, icon: "home", key: "o", group: nav.money },
  { to: "/payments", name: nav.payments, icon: "payments", key: "p", group: nav.money },
  { to: "/payouts/new", name: nav.payout, icon: "payout", key: "n", needs: "payments:create", group: nav.money },
  { to: "/quotes", name: nav.quotes, icon: "quote", key: "q", group: nav.money },
  { to: "/wallets", name: nav.wallets, icon: "wallet", key: "w", group: nav.money },
  { to: "/people", name: nav.people, icon: "people", key: "e", needs: "people:read", group: nav.money },
  { to: "/webhooks", name: nav.webhooks, icon: "webhook", key: "h", group: nav.build },
  { to: "/developers", name: nav.developers, icon: "bolt", key: "d", group: nav.build },
  { to: "/keys", name: nav.keys, icon: "key", key: "k", needs: "credentials:read", group: nav.build },
  { to: "/team", name: nav.team, icon: "shield", key: "u", needs: "users:manage", group: nav.build },
];

const operatorPlaces: readonly Place[] = [
  { to: "/desk", name: nav.desk, icon: "flag", key: "d", group: nav.work },
  {
    to: "/desk/payments",
    name: nav.payments,
    icon: "payments",
    key: "p",
    needs: "payments:read",
    group: nav.work,
  },
  { to: "/desk/cases", name: nav.cases, icon: "case", key: "c", needs: "cases:read", group: nav.work },
  {
    to: "/desk/reviews",
    name: nav.reviews,
    icon: "shield",
    key: "r",
    needs: "reviews:read",
    group: nav.work,
  },
  { to: "/desk/documents", name: nav.documents, icon: "people", key: "o", needs: "documents:list", group: nav.work },
  { to: "/desk/approvals", name: nav.approvals, icon: "check", key: "a", group: nav.work },
  { to: "/desk/ledger", name: nav.ledger, icon: "ledger", key: "l", needs: "ledger:read", group: nav.books },
  { to: "/desk/tenants", name: nav.tenants, icon: "tenant", key: "t", group: nav.books },
  { to: "/desk/audit", name: nav.audit, icon: "audit", key: "u", needs: "audit:read", group: nav.books },
  { to: "/desk/health", name: nav.health, icon: "health", key: "h", group: nav.books },
];

/** Returns the pages that this person may visit. */
export const placesOf = (me: Me): readonly Place[] =>
  (me.isOperator ? operatorPlaces : tenantPlaces).filter(
    ({ needs }) => needs === undefined || me.permissions.includes(needs),
  );

/** Returns the person's first page. */
export const homeOf = (me: Me): string => (me.isOperator ? "/desk" : "/home");

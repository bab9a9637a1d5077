import { text } from "../text/en";
import type { IconName } from "../ui/icon";
import type { Me } from "./me";

/** A page that the navigation, the palette and a pair of keys lead to. */
export interface Place {
  readonly to: string;
  readonly name: string;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key?: string;
  /** Who sees it; everybody of its side without it. */
  readonly roles?: readonly string[];
  readonly group: string;
}

const { nav } = text;
const personal = ["finance", "admin"];

const tenantPlaces: readonly Place[] = [
  { to: "/payments", name: nav.payments, icon: "payments", key: "p", group: nav.money },
  { to: "/payouts/new", name: nav.payout, icon: "payout", key: "n", roles: personal, group: nav.money },
  { to: "/quotes", name: nav.quotes, icon: "quote", key: "q", group: nav.money },
  { to: "/wallets", name: nav.wallets, icon: "wallet", key: "w", group: nav.money },
  { to: "/people", name: nav.people, icon: "people", key: "e", roles: personal, group: nav.money },
  { to: "/webhooks", name: nav.webhooks, icon: "webhook", key: "h", group: nav.build },
  { to: "/developers", name: nav.developers, icon: "key", key: "d", group: nav.build },
  { to: "/team", name: nav.team, icon: "shield", key: "u", roles: ["admin"], group: nav.build },
];

const operatorPlaces: readonly Place[] = [
  { to: "/desk", name: nav.desk, icon: "flag", key: "d", group: nav.work },
  {
    to: "/desk/payments",
    name: nav.payments,
    icon: "payments",
    key: "p",
    roles: ["support", "compliance", "treasury"],
    group: nav.work,
  },
  { to: "/desk/cases", name: nav.cases, icon: "case", key: "c", roles: ["support", "treasury"], group: nav.work },
  {
    to: "/desk/reviews",
    name: nav.reviews,
    icon: "shield",
    key: "r",
    roles: ["support", "compliance"],
    group: nav.work,
  },
  { to: "/desk/approvals", name: nav.approvals, icon: "check", key: "a", group: nav.work },
  { to: "/desk/ledger", name: nav.ledger, icon: "ledger", key: "l", roles: ["support", "treasury"], group: nav.books },
  { to: "/desk/tenants", name: nav.tenants, icon: "tenant", key: "t", group: nav.books },
  { to: "/desk/audit", name: nav.audit, icon: "audit", key: "u", roles: ["compliance", "platform"], group: nav.books },
  { to: "/desk/health", name: nav.health, icon: "health", key: "h", group: nav.books },
];

/** Where this person may go. */
export const placesOf = (me: Me): readonly Place[] =>
  (me.isOperator ? operatorPlaces : tenantPlaces).filter(
    ({ roles }) => roles === undefined || roles.some((role) => me.roles.includes(role)),
  );

/** Where this person begins. */
export const homeOf = (me: Me): string => (me.isOperator ? "/desk" : "/payments");

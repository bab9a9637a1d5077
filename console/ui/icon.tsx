import sprite from "./icons.svg?url";

export type IconName =
  | "home"
  | "payments"
  | "payout"
  | "wallet"
  | "quote"
  | "webhook"
  | "key"
  | "people"
  | "search"
  | "copy"
  | "check"
  | "cross"
  | "clock"
  | "sun"
  | "moon"
  | "chevron"
  | "down"
  | "download"
  | "alert"
  | "info"
  | "case"
  | "ledger"
  | "shield"
  | "audit"
  | "health"
  | "tenant"
  | "out"
  | "undo"
  | "menu"
  | "bolt"
  | "dots"
  | "flag";

/** A picture beside words. It adds no information to the words. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" aria-hidden="true" focusable="false">
    <use href={`${sprite}#${name}`} />
  </svg>
);

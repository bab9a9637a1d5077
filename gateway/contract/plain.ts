import type { Decimal } from "../../services/shared/kernel/money";

type Leaf = string | number | boolean | null | undefined | Decimal | readonly unknown[];
type Keys<U> = U extends unknown ? keyof U : never;
type Member<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;

/** One object with the members of all variants, each optional: the type for a codec that does not distinguish variants. */
export type Plain<T> =
  | Extract<T, Leaf>
  | ([Exclude<T, Leaf>] extends [never]
      ? never
      : { readonly [Name in Keys<Exclude<T, Leaf>>]?: Plain<Member<Exclude<T, Leaf>, Name>> | undefined });

import { tenantText as english, type TenantWords } from "./en-tenant";
import { wordsOf } from "./words-of";

/** Texts of single pages and boxes, loaded with the first of them. */
export const tenantText: TenantWords = await wordsOf(english, {
  de: () => import("./de-tenant"),
  pt: () => import("./pt-tenant"),
});

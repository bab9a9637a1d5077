import { tenantText as english } from "./en-tenant";
import { chosenLanguage, pseudo } from "./languages";
import { stretched } from "./stretched";

/** What single pages of tenants show, which comes with the first of them. */
export const tenantText: typeof english = chosenLanguage() === pseudo ? stretched(english) : english;

/** A cookie of the console. Scripts of its pages cannot read it. */
export interface Cookies {
  /** Returns the value that the browser has sent; undefined unless it sent exactly one. */
  read(header: string | undefined, name: CookieName): string | undefined;
  /** Returns the `set-cookie` header; without a value it removes the cookie. */
  write(name: CookieName, value: string | undefined, seconds?: number): string;
}

export type CookieName = "corridor" | "corridor-login";

/**
 * Outside the local profile the names begin with `__Host-`, so that no other host of the domain can set them. SameSite is lax: a strict
 * cookie would not be sent when the identity provider redirects the browser back.
 */
export function makeCookies(isSecure: boolean): Cookies {
  const nameOf = (name: CookieName): string => (isSecure ? `__Host-${name}` : name);
  return {
    read(header = "", name) {
      const start = `${nameOf(name)}=`;
      const found = header.split(";").flatMap((part) => {
        const text = part.trim();
        return text.startsWith(start) ? [text.slice(start.length)] : [];
      });
      return found.length === 1 ? found[0] : undefined;
    },
    write(name, value, seconds) {
      const life = value === undefined ? "; Max-Age=0" : seconds === undefined ? "" : `; Max-Age=${seconds}`;
      const flags = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
      return `${nameOf(name)}=${value ?? ""}${flags}${life}`;
    },
  };
}

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { exchange } from "./api";
import { setCurrent } from "./current";
import type { Permission } from "./may";
import type { Me } from "./me";
import { Problem } from "./problem";

/** The session has ended, or a request needs a fresh login. */
export type Asks = "over" | "fresh";

interface Session {
  /** Undefined while no person is logged in. */
  readonly me: Me | undefined;
  /** Why the person has to log in again: the page under it stays as it is. */
  readonly asks: Asks | undefined;
  /** Continues without the requested login. */
  readonly letBe: () => void;
  readonly logIn: (as: string) => Promise<void>;
  readonly logOut: () => Promise<void>;
  /** True for actions that the person's roles allow. The gateway decides; actions that it would refuse are not offered. */
  readonly may: (permission: Permission) => boolean;
}

const Context = createContext<Session | undefined>(undefined);

async function askMe(): Promise<Me | undefined> {
  try {
    return (await (await exchange("GET", "/api/me")).json()) as Me;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined;
    throw error;
  }
}

/** Asks once who is logged in, and stores it. The end of a session removes no page and no form. */
export function SessionProvider({ children, first }: { readonly children: ReactNode; readonly first: Me | undefined }) {
  const [me, setMe] = useState(first);
  const [asks, setAsks] = useState<Asks>();
  const queries = useQueryClient();
  useEffect(() => {
    setCurrent({ onSessionOver: () => setAsks("over"), onStaleLogin: () => setAsks((now) => now ?? "fresh") });
  }, []);
  const enter = useCallback(async () => {
    const next = await askMe();
    takeIn(next);
    setMe(next);
    setAsks(undefined);
    await queries.invalidateQueries();
  }, [queries]);
  const value = useMemo<Session>(
    () => ({
      me,
      asks: me === undefined ? undefined : asks,
      letBe: () => setAsks(undefined),
      async logIn(as) {
        await exchange("POST", "/api/auth/local", JSON.stringify({ person: as }));
        await enter();
      },
      async logOut() {
        await exchange("POST", "/api/auth/logout").catch((error: unknown) => {
          if (!(error instanceof Problem && error.status === 401)) throw error;
        });
        queries.clear();
        setMe(undefined);
        setAsks(undefined);
      },
      may: (permission) => me?.permissions.includes(permission) === true,
    }),
    [me, asks, enter, queries],
  );
  return <Context value={value}>{children}</Context>;
}

/** Reads who is logged in, before anything is drawn. */
export async function firstMe(): Promise<Me | undefined> {
  const me = await askMe();
  takeIn(me);
  return me;
}

function takeIn(me: Me | undefined): void {
  setCurrent({
    csrf: me?.csrf ?? "",
    tenant: me?.tenants[0]?.tenant ?? "",
    agentId: me?.agents[0]?.agentId,
  });
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error("no session around");
  return session;
}

/** Returns the person. Pages are drawn only for people who are logged in. */
export function useMe(): Me {
  const { me } = useSession();
  if (me === undefined) throw new Error("nobody is logged in");
  return me;
}

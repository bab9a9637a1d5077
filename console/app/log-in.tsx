import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tenantText } from "../text/tenant-text";
import { Icon } from "../ui/icon";
import mark from "../ui/mark.svg?url";
import { ProblemNote } from "../ui/problem-note";
import { exchange } from "./api";
import type { LogIns } from "./me";
import { useSession } from "./session";

async function readLogIns(): Promise<LogIns> {
  return (await (await exchange("GET", "/api/auth/options")).json()) as LogIns;
}

/** The first page for a person who is not logged in. The address stays, so that the login leads to the requested page. */
export function LogIn() {
  return (
    <div className="login">
      <main>
        <div className="login-box">
          <img src={mark} alt="" width="44" height="44" />
          <div>
            <h1>{tenantText.logIn.title}</h1>
            <p className="quiet">{tenantText.logIn.lead}</p>
          </div>
          <LogInButtons />
        </div>
      </main>
      <aside className="login-art">
        <p>{tenantText.logIn.art}</p>
        <small>{tenantText.logIn.artLead}</small>
      </aside>
    </div>
  );
}

/** The ways to log in: by a click on a local platform, through the identity provider elsewhere. */
export function LogInButtons() {
  const ways = useQuery({ queryKey: ["log-ins"], queryFn: readLogIns });
  const { logIn } = useSession();
  const entering = useMutation({ mutationFn: logIn });
  if (ways.error !== null) return <ProblemNote error={ways.error} retry={() => void ways.refetch()} />;
  if (ways.data === undefined) return <div className="skeleton" />;
  const failed = new URLSearchParams(location.search).get("failed");
  return (
    <div className="stack tight">
      {failed !== null && <p role="alert">{tenantText.logIn.failed}</p>}
      {entering.error !== null && <ProblemNote error={entering.error} />}
      {ways.data.people.map(({ person, name, tenant }) => (
        <button
          key={person}
          type="button"
          className="as"
          disabled={entering.isPending}
          onClick={() => entering.mutate(person)}
        >
          <Icon name={tenant === null ? "shield" : "tenant"} />
          <span>
            <b>{name}</b>
            <span className="quiet small">
              {tenant === null ? tenantText.logIn.operator : tenantText.logIn.of(tenant)}
            </span>
          </span>
          <Icon name="chevron" />
        </button>
      ))}
      {ways.data.profile === "local" ? <p className="small quiet">{tenantText.logIn.local}</p> : <Provider />}
    </div>
  );
}

/** A log-in at the identity provider of a tenant, or of the operators. */
function Provider() {
  const [tenant, setTenant] = useState("");
  const going = useMutation({
    mutationFn: async (who: object) => {
      const returnTo = `${location.pathname}${location.search}`;
      const answer = await exchange("POST", "/api/auth/login", JSON.stringify({ ...who, returnTo }));
      const { authorizationUrl } = (await answer.json()) as { readonly authorizationUrl: string };
      location.assign(authorizationUrl);
    },
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        going.mutate({ tenant: tenant.trim() });
      }}
    >
      {going.error !== null && <ProblemNote error={going.error} />}
      <label className="entry">
        {tenantText.logIn.tenant}
        <input
          className="field"
          required
          autoComplete="organization"
          value={tenant}
          onChange={(event) => setTenant(event.target.value)}
        />
      </label>
      <button type="submit" className="button main" disabled={going.isPending}>
        {tenantText.logIn.provider}
      </button>
      <button
        type="button"
        className="button"
        disabled={going.isPending}
        onClick={() => going.mutate({ isOperator: true })}
      >
        {tenantText.logIn.asOperator}
      </button>
    </form>
  );
}

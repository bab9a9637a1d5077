import { useState } from "react";
import { callTenant } from "../../app/api";
import { useMe } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { ActionButton } from "../../ui/confirm";
import { Icon } from "../../ui/icon";
import { ScopeBoxes } from "./scope-boxes";
import { type KeyScope, keyScopes } from "./scopes";

const { keys: words } = tenantText;
const dayMs = 86_400_000;
const spans = ["", "90", "365"];

interface Props {
  readonly onDone: () => void;
  readonly onMade: (secret: string) => void;
}

/** A new API key of the tenant. */
export function NewKey({ onDone, onMade }: Props) {
  const tenant = useMe().tenants[0]?.tenant ?? "";
  const [scopes, setScopes] = useState<readonly KeyScope[]>([]);
  const [days, setDays] = useState("");
  const make = async (): Promise<void> => {
    const end =
      days === "" ? {} : { expiresAt: new Date(Date.now() + Number.parseInt(days, 10) * dayMs).toISOString() };
    const made = await callTenant("POST /organizations/{tenant}/credentials", {
      body: { kind: "key", owner: tenant, ...end, ...(scopes.length === 0 ? {} : { scopes: [...scopes] }) },
    });
    onMade(made.credential);
  };
  return (
    <ActionButton
      label={
        <>
          <Icon name="key" />
          {words.newKey}
        </>
      }
      className="button main"
      title={words.newKey}
      action={words.newKey}
      run={make}
      onDone={onDone}
    >
      <p className="quiet">{words.newKeyLead}</p>
      <label className="entry">
        {words.ends}
        <select className="field" value={days} onChange={(event) => setDays(event.target.value)}>
          {spans.map((span) => (
            <option key={span} value={span}>
              {words.span(span)}
            </option>
          ))}
        </select>
      </label>
      <ScopeBoxes title={words.keyScopes} known={keyScopes} chosen={scopes} onChange={setScopes} />
    </ActionButton>
  );
}

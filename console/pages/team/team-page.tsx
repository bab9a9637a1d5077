import { useState } from "react";
import { callTenant } from "../../app/api";
import { useTenant } from "../../app/data";
import { useMe } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { ActionButton } from "../../ui/confirm";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Time } from "../../ui/time";
import { useToast } from "../../ui/toast";

const { team: words } = tenantText;
const roles = ["viewer", "developer", "finance", "admin"] as const;
type Role = (typeof roles)[number];

/** The tenant's people and their roles. */
export function TeamPage() {
  const users = useTenant("GET /organizations/{tenant}/users", {});
  const { userId } = useMe();
  const toast = useToast();
  const done = (): void => {
    toast(words.done);
    void users.refetch();
  };
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead}>
        <Invite onDone={done} />
      </PageHead>
      <List
        query={users}
        rows={(page) => page.users}
        caption={words.title}
        keyOf={(user) => user.userId}
        empty={<Empty icon="people" title={words.none} />}
        columns={[
          { title: words.who, cell: ({ email, userId }) => email ?? <code>{userId}</code> },
          { title: words.roles, cell: (user) => user.roles.join(", ") || words.byProvider },
          {
            title: words.state,
            cell: ({ isDisabled, hasCome }) => (
              <span className={`pill ${isDisabled ? "bad" : hasCome ? "good" : "wait"}`}>
                {isDisabled ? words.out : hasCome ? words.active : words.invited}
              </span>
            ),
          },
          { title: words.since, isWide: true, isEnd: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: "",
            isEnd: true,
            cell: (user) =>
              user.userId !== userId && (
                <ActionButton
                  label={words.end}
                  className="button small"
                  title={words.endAsk}
                  action={words.end}
                  isDanger
                  run={() =>
                    callTenant("DELETE /organizations/{tenant}/users/{userId}/sessions", {
                      params: { userId: user.userId },
                    })
                  }
                  onDone={done}
                >
                  <p className="quiet">{words.endLead}</p>
                </ActionButton>
              ),
          },
        ]}
      />
    </>
  );
}

function Invite({ onDone }: { readonly onDone: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  return (
    <ActionButton
      label={words.invite}
      className="button main"
      title={words.invite}
      action={words.invite}
      run={() => callTenant("POST /organizations/{tenant}/users", { body: { email, roles: [role] } })}
      onDone={onDone}
    >
      <label className="entry">
        {words.email}
        <input className="field" type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </label>
      <label className="entry">
        {words.role}
        <select className="field" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {roles.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
    </ActionButton>
  );
}

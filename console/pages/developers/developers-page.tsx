import { useTenant } from "../../app/data";
import { useMe, useSession } from "../../app/session";
import { tenantText } from "../../text/tenant-text";
import { text } from "../../text/text";
import { CopyButton, Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { developers: words } = tenantText;

/** The page for developers of the tenant's programs. */
export function DevelopersPage() {
  const { may } = useSession();
  const { profile } = useMe();
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      <div className="stack">
        <section className="card" aria-label={words.start}>
          <header>
            <h2>{words.start}</h2>
          </header>
          <ol className="inside stack">
            {words.steps.map(([name, command]) => (
              <li key={name} className="stack tight">
                <span>{name}</span>
                <div className="secret">
                  <code>{command}</code>
                  <CopyButton value={command} label={text.id.copy(name)} />
                </div>
              </li>
            ))}
          </ol>
        </section>
        {may("agents:read") && <Agents />}
        {profile !== "production" && <Scenarios />}
      </div>
    </>
  );
}

function Agents() {
  const agents = useTenant("GET /organizations/{tenant}/agents", { query: { limit: 50 } });
  return (
    <section className="stack tight" aria-label={words.agents}>
      <h2>{words.agents}</h2>
      <List
        query={agents}
        rows={(page) => page.agents}
        caption={words.agents}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="people" title={words.noAgents}>
            <p>{words.noAgentsLead}</p>
          </Empty>
        }
        columns={[
          { title: words.name, cell: ({ businessName }) => businessName },
          { title: words.state, cell: ({ status }) => <Status value={status} /> },
          { title: words.id, isWide: true, cell: ({ id }) => <Id value={id} /> },
          { title: words.since, isEnd: true, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}

/** Actions of the simulated outside world on request, on a platform without real money. */
const Scenarios = () => (
  <section className="card" aria-label={words.scenarios}>
    <header>
      <h2>{words.scenarios}</h2>
    </header>
    <div className="inside stack">
      <p className="quiet">{words.scenariosLead}</p>
      <dl className="pairs">
        {tenantText.payout.scenarios
          .filter(([value]) => value !== "")
          .map(([value, does]) => (
            <div key={value}>
              <dt>
                <code>{value}</code> <CopyButton value={value} label={text.id.copy(value)} />
              </dt>
              <dd>{words.railWill(does)}</dd>
            </div>
          ))}
      </dl>
    </div>
  </section>
);

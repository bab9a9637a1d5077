import { useOperator } from "../../app/data";
import { useMe } from "../../app/session";
import { operatorText } from "../../text/operator-text";
import { Id } from "../../ui/id";
import { List } from "../../ui/list";
import { Empty, PageHead } from "../../ui/page";
import { Status } from "../../ui/status";
import { Time } from "../../ui/time";

const { health: words } = operatorText;
const everyMs = 5_000;
/** Services that store events of their own, and therefore report which process publishes them. */
const services = ["payment", "wallet", "identity", "webhook", "auth"];

/** Which services answer, which do not, and which events wait to be published. */
export function HealthPage() {
  const { roles } = useMe();
  const has = (...some: readonly string[]): boolean => some.some((role) => roles.includes(role));
  const seesBacklog = has("support", "platform");
  const seesRates = has("support", "treasury");
  const backlog = useOperator("GET /webhooks/backlog", { query: { limit: 50 } }, { everyMs, isOn: seesBacklog });
  const rates = useOperator("GET /rates", {}, { everyMs: 4 * everyMs, isOn: seesRates });
  return (
    <>
      <PageHead title={words.title} name={words.title} lead={words.lead} />
      <div className="stack">
        {seesBacklog && (
          <section className="card" aria-label={words.services}>
            <header>
              <h2>{words.services}</h2>
            </header>
            <ul className="inside row">
              {services.map((service) => (
                <Service key={service} service={service} />
              ))}
            </ul>
          </section>
        )}
        {seesBacklog && (
          <section className="stack tight" aria-label={words.backlog}>
            <h2>{words.backlog}</h2>
            <List
              query={backlog}
              rows={({ backlogs }) => backlogs}
              caption={words.backlog}
              keyOf={({ webhookId }) => webhookId}
              empty={
                <Empty icon="check" title={words.noBacklog}>
                  <p>{words.noBacklogLead}</p>
                </Empty>
              }
              columns={[
                { title: words.tenant, cell: ({ tenant }) => tenant },
                { title: words.endpoint, cell: ({ webhookId }) => <Id value={webhookId} /> },
                { title: words.waiting, isEnd: true, cell: ({ waiting }) => waiting },
                { title: words.failures, isEnd: true, isWide: true, cell: ({ failures }) => failures },
                { title: words.oldest, isEnd: true, cell: ({ oldestAt }) => <Time at={oldestAt} /> },
              ]}
            />
          </section>
        )}
        {seesRates && (
          <section className="stack tight" aria-label={words.rates}>
            <h2>{words.rates}</h2>
            <List
              query={rates}
              rows={({ sources }) => sources}
              caption={words.rates}
              keyOf={({ source }) => source}
              empty={
                <Empty icon="quote" title={words.noSource}>
                  <p>{words.noSourceLead}</p>
                </Empty>
              }
              columns={[
                { title: words.source, cell: ({ source }) => source },
                {
                  title: words.state,
                  cell: ({ problem }) => <Status value={problem === null ? "ACTIVE" : "FAILED"} />,
                },
                { title: words.problem, isWide: true, cell: ({ problem }) => problem ?? "" },
                { title: words.asOf, isEnd: true, cell: ({ asOf }) => <Time at={asOf} /> },
              ]}
            />
          </section>
        )}
      </div>
    </>
  );
}

/** Shows whether a service answers, by its own report. */
function Service({ service }: { readonly service: string }) {
  const { data, error } = useOperator("GET /bus/{service}/leases", { params: { service } }, { everyMs });
  const tone = error !== null ? "bad" : data === undefined ? "wait" : "good";
  return (
    <li className={`pill ${tone}`}>
      {service}: {words.answer[tone]}
    </li>
  );
}

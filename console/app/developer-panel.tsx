import { tenantText } from "../text/tenant-text";
import { text } from "../text/text";
import { Icon } from "../ui/icon";
import { CopyButton, Id } from "../ui/id";
import { asCurl } from "./as-curl";
import { useExchanges } from "./exchanges";
import "../styles/panel.css";

const words = tenantText.panel;

/** Shows what the page under it has asked the API, with the id under which each answer is found in the logs. */
export function DeveloperPanel({ page, onClose }: { readonly page: string; readonly onClose: () => void }) {
  const calls = useExchanges(page);
  return (
    <section className="panel" aria-label={words.title}>
      <header className="row">
        <h2>{words.title}</h2>
        <p className="quiet small">{words.lead}</p>
        <span className="grow" />
        <button type="button" className="plain" onClick={onClose} aria-label={text.dialog.close}>
          <Icon name="cross" />
        </button>
      </header>
      {calls.length === 0 && <p className="quiet">{words.none}</p>}
      <ul>
        {calls.map((call) => {
          const command = asCurl(call);
          return (
            <li key={call.key}>
              <details>
                <summary>
                  <span className={`pill ${call.status >= 200 && call.status < 400 ? "good" : "bad"}`}>
                    {call.status === 0 ? words.silent : call.status}
                  </span>
                  <code>
                    {call.method} {call.path.replace(/^\/api\/(?:o|t\/[^/]+)/, "").split("?")[0]}
                  </code>
                  <span className="quiet small">{tenantText.payment.took(call.tookMs)}</span>
                </summary>
                <pre>
                  <code>{command}</code>
                </pre>
                <div className="row small">
                  <CopyButton value={command} label={text.id.copy(words.command)} />
                  {call.requestId !== undefined && (
                    <span>
                      {text.problem.request} <Id value={call.requestId} />
                    </span>
                  )}
                </div>
              </details>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

import { Problem } from "../app/problem";
import { meaningOf } from "../text/codes";
import { text } from "../text/text";
import { Icon } from "./icon";
import { Id } from "./id";

/** Why something did not work: its meaning, the platform's message, and the id that the operators of the platform ask for. */
export function ProblemNote({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const problem = error instanceof Problem ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" />
      <div>
        <h2>{meaningOf(problem)}</h2>
        <p>{message}</p>
        {problem !== undefined && problem.fields.length > 0 && (
          <ul>
            {problem.fields.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
        <div className="row small quiet">
          {problem !== undefined && <code>{problem.code}</code>}
          {problem?.requestId !== undefined && (
            <span>
              {text.problem.request} <Id value={problem.requestId} />
            </span>
          )}
          {retry !== undefined && (
            <button type="button" className="button small" onClick={retry}>
              {text.problem.retry}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

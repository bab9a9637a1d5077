import { useMutation } from "@tanstack/react-query";
import { callOperator } from "../../app/api";
import { useOperator } from "../../app/data";
import { operatorText } from "../../text/operator-text";
import { text } from "../../text/text";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { ProblemNote } from "../../ui/problem-note";

const { ledger: words } = operatorText;

/** Verifies the whole ledger and shows the result. */
export function Verify() {
  const walk = useMutation({ mutationFn: () => callOperator("POST /ledger/verifications", {}) });
  const verificationId = walk.data?.verificationId ?? "";
  const later = useOperator(
    "GET /ledger/verifications/{verificationId}",
    { params: { verificationId } },
    {
      everyMs: (now) => (now?.finishedAt == null ? 1_000 : false),
      isOn: verificationId !== "" && walk.data?.finishedAt === null,
    },
  );
  const result = walk.data?.finishedAt === null ? (later.data ?? walk.data) : walk.data;
  const isDone = result?.finishedAt != null;
  const isGood = isDone && result.findings.length === 0;
  return (
    <>
      <button type="button" className="button main" disabled={walk.isPending} onClick={() => walk.mutate()}>
        <Icon name="shield" />
        {walk.isPending ? text.dialog.running : words.verify}
      </button>
      {(walk.error !== null || result !== undefined) && (
        <Dialog title={words.verify} onClose={() => walk.reset()}>
          {walk.error !== null && <ProblemNote error={walk.error} />}
          {result !== undefined && (
            <div className={`note ${isGood ? "good" : isDone ? "bad" : "wait"}`} role="status">
              <Icon name={isGood ? "check" : isDone ? "alert" : "clock"} />
              <div>
                <h3>{isGood ? words.proven : isDone ? words.notProven : words.walking}</h3>
                <p className="small">{words.walked(result.accounts, result.entries, result.rows)}</p>
                <ul>
                  {result.findings.map(({ fault, record, detail }) => (
                    <li key={`${fault} ${record}`}>
                      {fault} <code>{record}</code> {detail}
                    </li>
                  ))}
                </ul>
              </div>
            </div>
          )}
          <div className="ends">
            <button type="button" className="button" onClick={() => walk.reset()}>
              {text.dialog.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

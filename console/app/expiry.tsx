import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { tenantText } from "../text/tenant-text";
import { Dialog } from "../ui/dialog";
import { exchange } from "./api";
import { LogInButtons } from "./log-in";
import type { Me } from "./me";
import { useSession } from "./session";

const name = ["session-left"];
const askEveryMs = 30_000;
/** How long before its end the person is warned, milliseconds (WCAG 2.2.1 asks for 20 seconds). */
const warnBeforeMs = 120_000;

/** Returns how long the session lasts, by the server's clock; `isBackground` does not extend it. */
async function leftMs(isBackground: boolean): Promise<number> {
  const answer = await exchange("GET", "/api/me", undefined, { isBackground });
  const { expiresAt } = (await answer.json()) as Pick<Me, "expiresAt">;
  const now = Date.parse(answer.headers.get("date") ?? "");
  return expiresAt === null || Number.isNaN(now) ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
}

/** Warns that the session is about to end, and extends it at one press. */
export function Expiry() {
  const { asks } = useSession();
  const queries = useQueryClient();
  const left = useQuery({
    queryKey: name,
    queryFn: () => leftMs(true),
    refetchInterval: askEveryMs,
    retry: false,
    enabled: asks === undefined,
  });
  const staying = useMutation({ mutationFn: () => leftMs(false), onSuccess: (ms) => queries.setQueryData(name, ms) });
  if (asks !== undefined || left.data === undefined || left.data > warnBeforeMs) return null;
  // The longest life of a session cannot be extended.
  const isLast = staying.data !== undefined && staying.data <= warnBeforeMs;
  return (
    <Dialog title={tenantText.logIn.ending} onClose={() => staying.mutate()}>
      <p className="quiet">{isLast ? tenantText.logIn.endingLast : tenantText.logIn.endingLead}</p>
      {isLast ? (
        <LogInButtons />
      ) : (
        <div className="ends">
          <button type="button" className="button main" disabled={staying.isPending} onClick={() => staying.mutate()}>
            {tenantText.logIn.stay}
          </button>
        </div>
      )}
    </Dialog>
  );
}

import { tenantText } from "../text/tenant-text";
import { text } from "../text/text";
import { Dialog } from "../ui/dialog";
import { LogInButtons } from "./log-in";
import { type Asks, useSession } from "./session";

/** Asks the person to log in again. The page under it stays, with what was typed. */
export function LogInAgain({ asks }: { readonly asks: Asks }) {
  const { letBe } = useSession();
  const isOver = asks === "over";
  return (
    <Dialog title={isOver ? tenantText.logIn.over : tenantText.logIn.fresh} onClose={isOver ? () => undefined : letBe}>
      <p className="quiet">{isOver ? tenantText.logIn.overLead : tenantText.logIn.freshLead}</p>
      <LogInButtons />
      {!isOver && (
        <div className="ends">
          <button type="button" className="button" onClick={letBe}>
            {text.dialog.close}
          </button>
        </div>
      )}
    </Dialog>
  );
}

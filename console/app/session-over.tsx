import { text } from "../text/text";
import { Dialog } from "../ui/dialog";
import { LogInButtons } from "./log-in";

/** The session has ended. The page under it stays, with what was typed. */
export const SessionOver = () => (
  <Dialog title={text.logIn.over} onClose={() => undefined}>
    <p className="quiet">{text.logIn.overLead}</p>
    <LogInButtons />
  </Dialog>
);

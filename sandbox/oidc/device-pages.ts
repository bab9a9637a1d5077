import { escapeHtml, page } from "../page";

interface PageContext {
  body: string;
}

const title = "Log in at a device";

/** Pages of the device grant, where a person types, confirms or refuses the code that a program shows. The forms are the provider's. */
export const devicePages = {
  userCodeInputSource(context: PageContext, form: string, _out: unknown, error?: Error): void {
    const told = error === undefined ? "" : "<p>This code is not known, used, refused or too old.</p>";
    context.body = page(title, `${told}${form}<button form="op.deviceInputForm">Continue</button>`);
  },
  userCodeConfirmSource(
    context: PageContext,
    form: string,
    _client: unknown,
    _device: unknown,
    userCode: string,
  ): void {
    const buttons = ["", ' name="abort" value="yes"'].map((what) => `<button form="op.deviceConfirmForm"${what}>`);
    const question = `<p>Does your program show <strong>${escapeHtml(userCode)}</strong>?</p>`;
    context.body = page(title, `${question}${form}${buttons[0]}Yes, log it in</button>${buttons[1]}No</button>`);
  },
  successSource(context: PageContext): void {
    context.body = page(title, "<p>The program is logged in; you can close this page.</p>");
  },
};

import express, { Router } from "express";
import { text } from "../input";
import { escapeHtml, page } from "../page";
import { bankAccounts } from "./bank-accounts";
import type { LinkBook } from "./link-book";

/** The page where a customer picks an account. `POST /link` answers JSON to callers who accept only that. */
export function linkPage(links: LinkBook): Router {
  const router = Router();
  router.get("/link", (req, res) => {
    const token = text(req.query["token"]);
    if (links.isOpen(token)) res.send(form(token));
    else res.status(404).send(gone);
  });
  router.post("/link", express.urlencoded({ extended: false }), async (req, res) => {
    const accountId = text(req.body?.["account"]);
    const account = bankAccounts.find((candidate) => candidate.accountId === accountId);
    const publicToken = account && (await links.link(text(req.body?.["token"]), accountId));
    const wantsJson = req.accepts(["html", "json"]) === "json";
    if (publicToken === undefined) {
      if (wantsJson) res.status(404).json({ error: "not_found" });
      else res.status(404).send(gone);
    } else if (wantsJson) res.json({ publicToken, accountId });
    else res.send(done(publicToken, accountId));
  });
  return router;
}

const title = "Link your bank account";
const gone = page(title, "<p>This link is unknown or has expired.</p>");

const form = (token: string): string =>
  page(
    title,
    `<form method="post" action="/link">
      <input type="hidden" name="token" value="${escapeHtml(token)}">
      <label>Account
        <select name="account">${bankAccounts
          .map(({ accountId, name }) => `<option value="${escapeHtml(accountId)}">${escapeHtml(name)}</option>`)
          .join("")}</select>
      </label>
      <button>Link</button>
    </form>`,
  );

const done = (publicToken: string, accountId: string): string =>
  page(
    title,
    `<p>Linked. Hand these two values to <code>/check-account</code>:</p>
    <p>accountCheckToken <code id="publicToken">${escapeHtml(publicToken)}</code></p>
    <p>accountCheckId <code id="accountId">${escapeHtml(accountId)}</code></p>`,
  );

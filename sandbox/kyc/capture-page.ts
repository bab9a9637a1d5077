import express, { Router } from "express";
import type { Environment } from "../environment";
import { answerProblems, text } from "../input";
import { escapeHtml, page } from "../page";
import { type Capture, type Captures, captureActs } from "./captures";

/** Path of a session's page below the address that the platform calls. */
export const pagePath = (pageId: string): string => `/capture/${pageId}`;

/** The page where a person shows a document and a reviewer decides, also a second time. */
export function capturePage({ database }: Pick<Environment, "database">, captures: Captures): Router {
  const router = Router();
  router.get("/capture/:id", (req, res) => {
    const found = captures.ofPage(req.params.id);
    if (found === undefined) res.status(404).send(gone);
    else res.send(form(found));
  });
  router.post("/capture/:id", express.urlencoded({ extended: false }), async (req, res) => {
    const wanted = text(req.body?.["outcome"]);
    const act = captureActs.find((candidate) => candidate === wanted);
    if (act === undefined) {
      const message = `must be one of ${captureActs.join(", ")}`;
      answerProblems(res, { problems: [{ field: "outcome", message }] });
      return;
    }
    const result = await database.write(() => {
      const found = captures.ofPage(req.params.id);
      return found === undefined ? undefined : captures.act(found, act);
    });
    const after = captures.ofPage(req.params.id);
    if (result === undefined || after === undefined) res.status(404).send(gone);
    else res.status(result ? 200 : 409).send(form(after));
  });
  return router;
}

const title = "Show your document";
const gone = page(title, "<p>There is no such session.</p>");

const button = (value: string, words: string): string => `<button name="outcome" value="${value}">${words}</button>`;

const deciding = [button("verify", "The document is good"), button("reject", "The document is not genuine")];
const capturing = [
  ...deciding,
  button("review", "A person has to look at it"),
  button("unreadable", "The picture is unreadable"),
];

function form({ status, attempts, pageId, redirectUrl }: Capture): string {
  const isOver = status === "FAILED" || status === "ERRORED" || status === "EXPIRED";
  const buttons = isOver ? [] : status === "OPEN" ? capturing : deciding;
  const back = redirectUrl === null ? "" : `<p><a href="${escapeHtml(redirectUrl)}">Back</a></p>`;
  return page(
    title,
    `<p>Status <code id="status">${escapeHtml(status)}</code>, attempts <code id="attempts">${attempts}</code></p>
    <form method="post" action="${escapeHtml(pagePath(pageId))}">${buttons.join("\n")}</form>
    ${back}`,
  );
}

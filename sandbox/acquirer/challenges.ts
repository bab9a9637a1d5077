import express, { Router } from "express";
import { plusMs } from "../../services/shared/kernel/clock";
import type { Environment } from "../environment";
import { answerProblems, text } from "../input";
import { escapeHtml, page } from "../page";
import { openRecordStore } from "../record-store";

/** One 3DS challenge of a cardholder. */
export interface Challenge {
  id: string;
  /** The kind of operation that waits for the challenge, and its reference. */
  kind: ChallengeKind;
  reference: string;
  outcome: "open" | "passed" | "failed" | "expired";
  createdAt: string;
  expiresAt: string;
}

export type ChallengeKind = "authorization" | "verification";

/** The 3DS pages. A challenge lives 15 minutes by the sandbox clock. */
export interface Challenges {
  /** Called inside `Database.write`. */
  open(kind: ChallengeKind, reference: string): Challenge;
  find(id: string): Challenge | undefined;
  /** Registers the handler of ended challenges of a kind; it runs in the write that ends them. */
  on(kind: ChallengeKind, settle: (challenge: Challenge) => void): void;
  routes: Router;
}

/** Path of a challenge's page below the address that the platform calls. */
export const challengePath = (id: string): string => `/3ds/${id}`;

const lifetimeMs = 15 * 60_000;

export function startChallenges({ database, clock, ids, jobs }: Environment): Challenges {
  const records = openRecordStore<Challenge>(database, "challenges");
  const settlers = new Map<ChallengeKind, (challenge: Challenge) => void>();
  const end = (id: string, outcome: Challenge["outcome"]): Challenge | undefined => {
    const found = records.find(id);
    if (found?.outcome !== "open") return found;
    const next = { ...found, outcome };
    records.save(id, next);
    settlers.get(found.kind)?.(next);
    return next;
  };
  jobs.on("challenge-expiry", (id) => {
    end(id, "expired");
  });

  const routes = Router();
  routes.get("/3ds/:id", (req, res) => {
    const found = records.find(req.params.id);
    if (found === undefined) res.status(404).send(page("Not found", "<p>There is no such challenge.</p>"));
    else res.send(found.outcome === "open" ? question(found.id) : over(found));
  });
  routes.post("/3ds/:id", express.urlencoded({ extended: false }), async (req, res) => {
    const outcome = text(req.body?.["outcome"]);
    if (outcome !== "pass" && outcome !== "fail") {
      answerProblems(res, { problems: [{ field: "outcome", message: "must be pass or fail" }] });
      return;
    }
    const ended = await database.write(() => end(req.params.id, outcome === "pass" ? "passed" : "failed"));
    if (ended === undefined) res.status(404).send(page("Not found", "<p>There is no such challenge.</p>"));
    else res.send(over(ended));
  });

  return {
    open(kind, reference) {
      const at = clock.now();
      const challenge: Challenge = {
        id: ids.uuid(),
        kind,
        reference,
        outcome: "open",
        createdAt: at.toISOString(),
        expiresAt: plusMs(at, lifetimeMs).toISOString(),
      };
      records.save(challenge.id, challenge);
      jobs.add("challenge-expiry", challenge.id, lifetimeMs);
      return challenge;
    },
    find: (id) => records.find(id),
    on(kind, settle) {
      settlers.set(kind, settle);
    },
    routes,
  };
}

const question = (id: string): string =>
  page(
    "Confirm your card",
    `<p>Your bank asks whether it is you who pays.</p>
    <form method="post" action="${escapeHtml(challengePath(id))}">
      <button name="outcome" value="pass">It is me</button>
      <button name="outcome" value="fail">It is not me</button>
    </form>`,
  );

const over = ({ outcome }: Challenge): string =>
  page("Confirm your card", `<p id="outcome">${escapeHtml(outcome)}</p><p>You may close this page.</p>`);

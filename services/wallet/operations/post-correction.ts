import { invalid } from "../../shared/kernel/errors";
import type { Posting } from "../domain/command";
import type { Outcome } from "../domain/decide";
import type { Ledger } from "../ports";
import { contentOf } from "./post-money";

export interface PostCorrectionDeps {
  ledger: Ledger;
}

export interface Correction {
  id: string;
  /** Kind of correction, for example write-off. */
  label: string;
  /** Why, in clear. */
  reason: string;
  /** Ids of the entries, payments and cases that it concerns. */
  links: readonly string[];
  postings: readonly Posting[];
}

export type PostCorrection = (correction: Correction) => Promise<Outcome>;

const idPattern = /^[A-Za-z0-9._:/-]{1,255}$/;
const labelPattern = /^[a-z][a-z-]{0,39}$/;

/** Posts an entry that operators decided on, once per id. */
export const makePostCorrection =
  ({ ledger }: PostCorrectionDeps): PostCorrection =>
  (correction) => {
    requireWhole(correction);
    const { id, label, reason, links, postings } = correction;
    const hashes = { kind: label, reason, links: links.join(" "), postings: contentOf(postings) };
    const facts = { externalId: id, label, description: reason, links, postings };
    return ledger.submit({ kind: "correction", id, tenant: "", hashes, ...facts });
  };

function requireWhole({ id, label, reason, links, postings }: Correction): void {
  const rules: [boolean, string, string][] = [
    [idPattern.test(id), "entryId", "must be 1 to 255 of A-Z a-z 0-9 . _ : - /"],
    [labelPattern.test(label), "kind", "must be 1 to 40 of a-z and -, beginning with a letter"],
    [reason.trim() !== "" && reason.length <= 1_000, "reason", "must be 1 to 1,000 characters"],
    [links.length >= 1 && links.length <= 20, "links", "must be 1 to 20"],
    [links.every((link) => link !== "" && link.length <= 255), "links", "must be of 1 to 255 characters each"],
    [postings.length <= 50, "postings", "must be at most 50"],
    [postings.every(({ minor }) => minor !== 0n), "postings", "must each move something"],
  ];
  const violations = rules.flatMap(([holds, field, message]) => (holds ? [] : [{ field, message }]));
  if (violations.length > 0) throw invalid(violations);
}

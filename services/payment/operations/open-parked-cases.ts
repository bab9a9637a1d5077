import type { Clock } from "../../shared/kernel/clock";
import type { ParkedNotice, ParkedSource } from "../ports";
import type { CasePosition } from "../store/case-filter";
import type { StoryLine } from "../store/case-record";
import type { Case, CaseStore } from "../store/case-store";

export interface OpenParkedCasesDeps {
  cases: Pick<CaseStore, "list" | "open" | "step" | "knownKeys">;
  clock: Clock;
}

/**
 * Opens a case for each message that a service has parked, and ends the cases of messages that were handled since. A case that a person
 * closed stays closed. Repeating it changes nothing.
 */
export type OpenParkedCases = (source: ParkedSource) => Promise<void>;

const pageSize = 200;
const longestText = 2_000;
const kind = "PARKED_MESSAGE" as const;

export const makeOpenParkedCases =
  (deps: OpenParkedCasesDeps): OpenParkedCases =>
  async (source) => {
    // Open cases are read first: a message that is parked from here on has no case that could be ended too early.
    const open = await openCases(deps, source);
    const parked = await openAll(deps, source);
    for (const found of open) {
      if (!parked.has(found.key ?? "")) await end(deps, found);
    }
  };

/** A message that was handled and is parked again later is another matter. */
const prefixOf = ({ service }: ParkedSource): string => `parked/${service}/`;
const keyOf = (source: ParkedSource, { id, parkedAt }: ParkedNotice): string =>
  `${prefixOf(source)}${id}/${parkedAt?.getTime() ?? 0}`;

async function openCases({ cases }: OpenParkedCasesDeps, source: ParkedSource): Promise<Case[]> {
  const found: Case[] = [];
  const filter = { state: "OPEN" as const, kind, tenant: undefined, provider: undefined, paymentId: undefined };
  for (let after: CasePosition | undefined; ; ) {
    const { cases: page, next } = await cases.list(filter, after, pageSize);
    found.push(...page.filter(({ key }) => key?.startsWith(prefixOf(source)) === true));
    if (next === undefined) return found;
    after = next;
  }
}

/** Opens the cases, and returns the keys of all parked messages. */
async function openAll(deps: OpenParkedCasesDeps, source: ParkedSource): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const { messages, next } = await source.page(after);
    const known = await deps.cases.knownKeys(messages.map((message) => keyOf(source, message)));
    for (const message of messages) {
      const key = keyOf(source, message);
      keys.add(key);
      if (!known.has(key)) await open(deps, source, message, key);
    }
    after = next;
  }
  return keys;
}

async function open(
  { cases, clock }: OpenParkedCasesDeps,
  { service }: ParkedSource,
  { id, subject, cause, parkedAt }: ParkedNotice,
  key: string,
): Promise<void> {
  const text = `${service} has put message ${id} of ${subject} aside: ${cause}`.slice(0, longestText);
  // The case's age counts from when the message was parked.
  const line = { ...platformLine, at: parkedAt ?? clock.now(), text };
  await cases.open(key, { kind, tenant: "", provider: "", paymentIds: [], amounts: [], line });
}

const platformLine = {
  author: "platform",
  approver: "",
  command: "",
  evidence: undefined,
} satisfies Partial<StoryLine>;

/** Ends a case. Does nothing when the case changes meanwhile: the next run looks at it again. */
async function end({ cases, clock }: OpenParkedCasesDeps, found: Case): Promise<void> {
  const at = clock.now();
  const line = { ...platformLine, at, text: "the message was handled" };
  await cases.step(found, { commandId: "handled", hash: "", line, closes: true }, at);
}

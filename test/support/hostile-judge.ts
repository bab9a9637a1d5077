import { setTimeout as delay } from "node:timers/promises";
import { CaseKind, CaseState } from "../../proto/gen/corridor/payment/v1/case_service";
import { type Balance, differenceOf, type LedgerBook, type ProviderBook } from "./hostile-books";
import { type HostileCase, nameOf, sameEndOf } from "./hostile-cases";
import { give, treatments } from "./hostile-resolve";
import type { HostileWorld } from "./hostile-world";

/** One payment through the hostile environment. */
export interface Course {
  case: HostileCase;
  /** Its externalPaymentId, which is also its mark in the sandbox's rules. */
  mark: string;
  /** Rules of the sandbox besides those of its case. */
  beside: readonly object[];
  paymentId: string;
  /** Its state when last read. */
  state: string;
  step: string | undefined;
  isQuiet: boolean;
  /** The caller's result: the refusal, if there was one. */
  refusal: string | undefined;
}

/** The end of a course: well, well with the help of commands, or with what is wrong. */
export interface Verdict {
  course: Course;
  end: "equal" | "resolved" | "wrong";
  why: string;
}

/** The result after everything repairable has been repaired. */
export interface Judgement {
  verdicts: readonly Verdict[];
  /** Cases about references of no payment, all of them ended. */
  strangers: number;
  /** Cases that commands have not ended. */
  open: readonly string[];
  /** Total difference of all books. */
  difference: Balance;
}

/** The parts of a world that a judge needs: its payment service, the service's store, and the sandbox. */
export type JudgedWorld = Pick<HostileWorld, "payment" | "mongo" | "sandbox">;

interface Books {
  world: JudgedWorld;
  ledger: LedgerBook;
  provider: ProviderBook;
}

/** The part of a payment's record that shows whether work is in progress. */
export interface Seen {
  _id: string;
  externalId: string;
  state: string;
  step?: string;
  dueAt?: Date;
  /** Present while one of its events has not been published. */
  relayDue?: Date;
}

export const projection = { externalId: 1, state: 1, step: 1, dueAt: 1 };
export const restful = ["PaymentDeclined", "Cancelled", "Refunded", "Voided", "Error", "Completed"];

/** Nothing is in progress: the payment has ended, or waits for something other than a provider. */
export function isAtRest({ state, step, dueAt }: Pick<Seen, "state" | "step" | "dueAt">): boolean {
  if (restful.includes(state)) return step === undefined;
  return step === undefined && (dueAt === undefined || state === "PaymentAuthorized");
}

/** After this time a provider's silence has ended for every step, and no authorisation has expired yet. */
const silenceSeconds = 6 * 86_400;
/** The window of a step that a command has begun. */
const roundSeconds = 3_600;
/** The longest pause between two queries about one step. */
const turnSeconds = 60;
const mostRounds = 8;
const atOnce = 32;

/** Compares each payment's books, runs commands on its cases until none is open, and compares again. */
export async function judge(books: Books, courses: readonly Course[]): Promise<Judgement> {
  const { world, provider, ledger } = books;
  const docket = makeDocket(books);
  const settle = (): Promise<void> => untilStill(books);
  // From now on, all remaining periodic queries run at the same time.
  await world.sandbox.advance(turnSeconds);
  await settle();
  await world.sandbox.advance(silenceSeconds);
  await settle();
  await lookAgain(world, courses);
  const first = await docket.open();
  const counts = Map.groupBy(first, ({ paymentId }) => paymentId);
  const verdicts: Verdict[] = [];
  for (const course of courses) {
    verdicts.push(await judgeOne(books, course, docket.difference(course), counts.get(course.paymentId)?.length ?? 0));
  }
  const strayed = strayedFrom(verdicts, await unsentOf(world, courses));
  const ends = verdicts.map((verdict) => strayed.get(verdict) ?? verdict);
  const problems = await putRight(books, docket, courses, settle);
  await lookAgain(world, courses);
  const left = await docket.open();
  const stillOpen = new Set(left.map(({ paymentId }) => paymentId));
  const open: string[] = [];
  for (const { caseId } of left) open.push(`${problems.get(caseId) ?? "no refusal"}; ${await noteOf(world, caseId)}`);
  const ended = ends.map((verdict): Verdict => {
    const { course, end, why } = verdict;
    const rest = docket.difference(course);
    if (end === "wrong" || (rest.size === 0 && course.isQuiet && !stillOpen.has(course.paymentId))) return verdict;
    return { course, end: "wrong", why: `${why}; after commands ${standingOf(course, rest)}` };
  });
  const strangers = counts.get("")?.length ?? 0;
  return { verdicts: ended, strangers, open, difference: differenceOf(provider.total(), ledger.total()) };
}

/**
 * Payments of a rail without a prepare step whose process ended between saving the release and calling: the rail does not know
 * them, and after its window they are cancelled there and abandoned. Other payments' lost work causes these too, since payments
 * are saved in groups.
 */
async function unsentOf({ mongo }: JudgedWorld, courses: readonly Course[]): Promise<ReadonlySet<string>> {
  const payments = mongo.connection.collection<Story & { _id: string }>("payments");
  const ids = courses.flatMap(({ state, paymentId }) => (state === "Error" ? [paymentId] : []));
  const ended = await payments.find({ _id: { $in: ids } }, { projection: { attempts: 1 } }).toArray();
  const isUnsent = ({ attempts = [] }: Story): boolean =>
    attempts.some(({ step, outcome }) => step === "release" && outcome === "absent") &&
    !attempts.some(({ step, approach }) => step === "release" && approach === "send");
  return new Set(ended.filter(isUnsent).map(({ _id }) => _id));
}

/** Cases that ended differently from the same case with a plain answer, with no other fault. */
function strayedFrom(verdicts: readonly Verdict[], unsent: ReadonlySet<string>): ReadonlyMap<Verdict, Verdict> {
  const alone = verdicts.filter(({ course }) => course.beside.length === 0 && !unsent.has(course.paymentId));
  const alike = Map.groupBy(alone, ({ course }) => sameEndOf(course.case));
  const strayed = new Map<Verdict, Verdict>();
  for (const [name, group] of alike) {
    if (name === undefined) continue;
    const plain = group.find(({ course: { case: one } }) => one.answer === "ok" && one.crash === "none");
    for (const verdict of plain === undefined ? [] : group) {
      const { state } = verdict.course;
      if (state === plain?.course.state && verdict.end === plain.end) continue;
      const why = `${verdict.end} in ${state}, but ${plain?.end} in ${plain?.course.state} when it is answered; ${verdict.why}`;
      strayed.set(verdict, { ...verdict, end: "wrong", why });
    }
  }
  return strayed;
}

const standingOf = ({ state, step, isQuiet }: Course, difference: Balance): string =>
  `${state}${step === undefined ? "" : ` in ${step}`}${isQuiet ? "" : ", without rest"}; books differ by ${show(difference)}`;

/** The state before any command. */
async function judgeOne({ world }: Books, course: Course, difference: Balance, cases: number): Promise<Verdict> {
  const { paymentId, isQuiet, refusal } = course;
  const verdict = (end: Verdict["end"], why = ""): Verdict => ({ course, end, why });
  if (paymentId === "") return verdict("wrong", `was not accepted: ${refusal}`);
  if (difference.size === 0 && isQuiet && cases === 0) return verdict("equal");
  const told = standingOf(course, difference);
  if (cases === 0) return verdict("wrong", `${told}; no case is open; ${await storyOf(world, paymentId)}`);
  return cases > 1 ? verdict("wrong", `${told}; ${cases} cases are open`) : verdict("resolved", told);
}

interface OpenCase {
  caseId: string;
  /** Empty for a case about a reference of no payment. */
  paymentId: string;
}

/** The open cases, and the difference of a payment's books with the entries of all its cases. */
interface Docket {
  open(): Promise<OpenCase[]>;
  difference(of: Pick<OpenCase, "paymentId"> & Partial<OpenCase>): Balance;
}

function makeDocket({ world: { payment }, ledger, provider }: Books): Docket {
  const known = new Map<string, Set<string>>();
  const all = { kind: CaseKind.UNSPECIFIED, tenant: "", provider: "", paymentId: "", limit: 200 };
  return {
    async open() {
      const found: OpenCase[] = [];
      for (let after: string | undefined, isDone = false; !isDone; isDone = after === undefined) {
        const page = await payment.listCases({ ...all, state: CaseState.OPEN, after });
        for (const { caseId, paymentIds } of page.cases) {
          const [paymentId = ""] = paymentIds;
          found.push({ caseId, paymentId });
          known.set(paymentId, (known.get(paymentId) ?? new Set()).add(caseId));
        }
        after = page.next;
      }
      return found;
    },
    difference: ({ paymentId, caseId }) =>
      // Movements under an unknown reference are in no provider's book.
      paymentId === ""
        ? differenceOf(new Map(), ledger.of("", caseId === undefined ? [] : [caseId]))
        : differenceOf(provider.of(paymentId), ledger.of(paymentId, [...(known.get(paymentId) ?? [])])),
  };
}

/**
 * Acts as operators do, in rounds: queries the providers, posts what statements prove where queries have not helped, settles
 * steps without any known outcome, and closes consistent cases. Returns the refused commands.
 */
async function putRight(
  { world }: Books,
  docket: Docket,
  courses: readonly Course[],
  settle: () => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  const byPayment = new Map(courses.map((course) => [course.paymentId, course]));
  for (let round = 0; round < mostRounds; round += 1) {
    for (const treat of treatments) {
      const open = await docket.open();
      if (open.length === 0) return problems;
      await lookAgain(
        world,
        open.flatMap(({ paymentId }) => byPayment.get(paymentId) ?? []),
      );
      let given = 0;
      await inParallel(open, async (one) => {
        const course = byPayment.get(one.paymentId);
        const step = course === undefined ? undefined : unansweredOf(course);
        const command = treat({ paymentId: one.paymentId, step, difference: docket.difference(one) });
        if (command === undefined) return;
        given += 1;
        const problem = await give(world, one.caseId, command);
        if (problem !== undefined) problems.set(one.caseId, problem);
      });
      if (given > 0) await settle();
    }
    // Steps that a command has begun may stay unanswered too.
    await world.sandbox.advance(roundSeconds);
    await settle();
  }
  return problems;
}

/** Calls with an outcome that a payment awaits without an open step. */
const awaitedIn: Readonly<Record<string, string>> = { WaitingPayout: "release", WaitingSettlement: "capture" };

/** The call with an unknown outcome. */
const unansweredOf = ({ state, step, isQuiet }: Course): string | undefined =>
  step ?? (isQuiet ? undefined : awaitedIn[state]);

/** Processes many items, a bounded number at a time. */
async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const one of queue) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const [lookMs, mostLooks, enoughLooks] = [300, 1_000, 4];
/** A payment in work is due again after its lease, not before. */
const leaseMs = 6_500;

/**
 * Waits until no payment is in work or due, everything is published and acknowledged, and for a moment nothing new arrives:
 * neither an event nor a statement line.
 */
async function untilStill({ world: { mongo, sandbox }, ledger, provider }: Books): Promise<void> {
  const payments = mongo.connection.collection<Seen>("payments");
  let [last, still] = ["", 0];
  for (let look = 0; look < mostLooks && still < enoughLooks; look += 1) {
    await provider.refresh();
    const owed = (await sandbox.call("GET", "/callbacks")) as { undelivered: number; refused: number };
    const soon = new Date((await sandbox.now()) + leaseMs);
    const busy = await payments.findOne({ dueAt: { $lte: soon } }, { projection });
    const unpublished = await payments.findOne({ relayDue: { $exists: true } }, { projection });
    const now = `${provider.size()} ${ledger.size()}`;
    const isStill = busy === null && unpublished === null && owed.undelivered === owed.refused && now === last;
    still = isStill ? still + 1 : 0;
    last = now;
    await delay(lookMs);
  }
}

const pageSize = 500;

/** The present state of these payments. */
async function lookAgain({ mongo }: JudgedWorld, courses: readonly Course[]): Promise<void> {
  const byId = new Map(courses.map((course) => [course.paymentId, course]));
  const payments = mongo.connection.collection<Seen>("payments");
  const ids = [...byId.keys()];
  for (let from = 0; from < ids.length; from += pageSize) {
    const $in = ids.slice(from, from + pageSize);
    for await (const seen of payments.find({ _id: { $in } }, { projection, batchSize: pageSize })) {
      const course = byId.get(seen._id);
      if (course !== undefined) Object.assign(course, { state: seen.state, step: seen.step, isQuiet: isAtRest(seen) });
    }
  }
}

export const show = (difference: Balance): string =>
  difference.size === 0 ? "nothing" : [...difference].map(([key, minor]) => `${key} ${minor}`).join(", ");

/** Why a case was opened. */
async function noteOf(world: JudgedWorld, caseId: string): Promise<string> {
  const found = (await world.payment.getCase({ caseId })).case;
  const stories = await Promise.all((found?.paymentIds ?? []).map((id) => storyOf(world, id)));
  return [found?.kinds.join(", "), ...(found?.notes ?? []).map(({ text }) => text), ...stories].join("; ");
}

interface Story {
  externalId?: string;
  attempts?: { step: string; approach: string; outcome: string }[];
  events?: { kind: string; moved?: string }[];
}

const longestStory = 30;

/** The service's actions and postings, for finding the cause. */
async function storyOf({ mongo }: JudgedWorld, paymentId: string): Promise<string> {
  const payments = mongo.connection.collection<Story & { _id: string }>("payments");
  const { externalId, attempts = [], events = [] } = (await payments.findOne({ _id: paymentId })) ?? {};
  const calls = attempts.slice(0, longestStory).map(({ step, approach, outcome }) => `${approach} ${step}: ${outcome}`);
  const posted = events.flatMap(({ kind, moved }) => (kind === "money" ? [moved] : []));
  return `${externalId}, calls: ${calls.join(", ")}; posted: ${posted.join(", ")}`;
}

/** Cases by name, for a list of failures. */
export const described = ({ course, why }: Verdict): string =>
  `${nameOf(course.case)}: ${why}${course.beside.length === 0 ? "" : `; beside ${JSON.stringify(course.beside)}`}`;

import { setTimeout as delay } from "node:timers/promises";
import { CaseKind, CaseState } from "../../proto/gen/corridor/payment/v1/case_service";
import type { Running } from "../../services/shared/lifecycle";
import {
  type Balance,
  differenceOf,
  type LedgerBook,
  openLedgerBook,
  openProviderBook,
  type ProviderBook,
} from "./hostile-books";
import { bodyOf, type HostileCase, nameOf, rulesOf, type Target } from "./hostile-cases";
import { resolveCases } from "./hostile-resolve";
import { type SaveFaults, watchSaves } from "./hostile-saves";
import { type HostileWorld, startHostileWorld } from "./hostile-world";

const tenant = "demo";

/** One payment through the hostile world. */
export interface Course {
  case: HostileCase;
  /** Its externalPaymentId, and what the rules of the outside world know it by. */
  mark: string;
  paymentId: string;
  /** Where it stood when it was looked at last. */
  state: string;
  isQuiet: boolean;
  /** The caller's end: what was refused, if anything was. */
  refusal: string | undefined;
}

/** How a course ended: well, well with the help of commands, or what is wrong with it. */
export interface Verdict {
  course: Course;
  end: "equal" | "resolved" | "wrong";
  why: string;
}

/** More rules for the orders of a mark than their case has. */
export type RulesBeside = (one: HostileCase, mark: string) => readonly object[];

export interface HostileRun extends Running {
  world: HostileWorld;
  /** Runs cases, so many at the same time; resolved when each is at rest or shows that it never will be. */
  run(cases: Iterable<HostileCase>, inFlight: number, beside?: RulesBeside): Promise<Course[]>;
  /** How often work was lost at a save. */
  struck(): number;
  /** Compares both books of each, lets commands put right what has a case, and compares again. */
  judge(courses: readonly Course[]): Promise<Verdict[]>;
  /** Ends what is open and about nobody's payment, and says by how much all books together differ then. */
  close(): Promise<{ open: readonly string[]; difference: Balance }>;
}

/** Business seconds that pass in each turn of the world, and the real time that a turn takes. */
const [turnSeconds, turnMs] = [2, 120];
/** How often payments are looked at. */
const watchMs = 300;
/** Business time after which a payment that still asks makes room for others; it is looked at again at the end. */
const patienceSeconds = 180;

export async function openHostileRun(): Promise<HostileRun> {
  const world = await startHostileWorld();
  const ledger = await openLedgerBook(world);
  const provider = openProviderBook(world.sandbox);
  const saves = watchSaves();
  const pump = startPump(world);
  const watch = startWatch(world, pump);
  let made = 0;
  const nextMark = (): string => {
    made += 1;
    return `m${made}`;
  };
  return {
    world,
    struck: () => saves.struck(),
    async run(cases, inFlight, beside = () => []) {
      const courses: Course[] = [];
      const queue = cases[Symbol.iterator]();
      const work = async (): Promise<void> => {
        for (let next = queue.next(); next.done !== true; next = queue.next()) {
          const course = newCourse(next.value, nextMark());
          courses.push(course);
          await runCourse({ world, saves, watch }, course, beside(next.value, course.mark));
        }
      };
      await Promise.all(Array.from({ length: inFlight }, work));
      return courses;
    },
    judge: (courses) => judge({ world, ledger, provider }, courses),
    close: () => closeAll({ world, ledger, provider }),
    async stop() {
      await pump.stop();
      await watch.stop();
      saves.restore();
      await ledger.stop();
      await world.stop();
    },
  };
}

const newCourse = (one: HostileCase, mark: string): Course => ({
  case: one,
  mark,
  paymentId: "",
  state: "",
  isQuiet: false,
  refusal: undefined,
});

/** Lets business time run faster than real time for as long as anything goes on. */
function startPump({ sandbox }: HostileWorld): Running & { seconds(): number } {
  let isStopping = false;
  let seconds = 0;
  const loop = (async () => {
    while (!isStopping) {
      await sandbox.advance(turnSeconds);
      seconds += turnSeconds;
      await delay(turnMs);
    }
  })();
  return {
    seconds: () => seconds,
    async stop() {
      isStopping = true;
      await loop;
    },
  };
}

type Watch = ReturnType<typeof startWatch>;

interface Seen {
  _id: string;
  externalId: string;
  state: string;
  step?: string;
  dueAt?: Date;
}

const projection = { externalId: 1, state: 1, step: 1, dueAt: 1 };
const restful = ["PaymentDeclined", "Cancelled", "Refunded", "Voided", "Error", "Completed"];

/** Looks after many payments with one question a turn. */
function startWatch({ mongo }: HostileWorld, pump: { seconds(): number }) {
  const waiting = new Map<string, (seen: Seen) => boolean>();
  let isStopping = false;
  const payments = mongo.connection.collection<Seen>("payments");
  const loop = (async () => {
    while (!isStopping) {
      await delay(watchMs);
      const externalId = { $in: [...waiting.keys()] };
      if (externalId.$in.length === 0) continue;
      for (const seen of await payments.find({ tenant, externalId }, { projection }).toArray()) {
        if (waiting.get(seen.externalId)?.(seen) === true) waiting.delete(seen.externalId);
      }
    }
  })();
  return {
    /** The payment once it is as wanted, or as it is when patience ends. */
    until(mark: string, isWanted: (seen: Seen) => boolean): Promise<{ seen: Seen; isWanted: boolean }> {
      const endsAt = pump.seconds() + patienceSeconds;
      return new Promise((resolve) => {
        waiting.set(mark, (seen) => {
          const wanted = isWanted(seen);
          if (!wanted && pump.seconds() < endsAt) return false;
          resolve({ seen, isWanted: wanted });
          return true;
        });
      });
    },
    async stop() {
      isStopping = true;
      await loop;
    },
  };
}

interface CourseDeps {
  world: HostileWorld;
  saves: SaveFaults;
  watch: Watch;
}

async function runCourse(
  { world, saves, watch }: CourseDeps,
  course: Course,
  beside: readonly object[],
): Promise<void> {
  const { mark, case: one } = course;
  await world.sandbox.call("POST", "/faults", [...rulesOf(one, mark), ...beside]);
  const [when, save] = one.crash.split(" ");
  if (when === "before" || when === "after") saves.arm(mark, when, Number(save));
  const body = Buffer.from(JSON.stringify(bodyOf(one.target, mark)));
  course.refusal = await insist(() => world.payment.acceptPayment({ tenant, bodyJson: body }));
  if (course.refusal !== undefined) return;
  const command = commandOf(one.target);
  if (command !== undefined) {
    await watch.until(mark, ({ state, step }) => command.states.includes(state) && step === undefined);
    course.refusal = await insist(() => command.send(world, mark));
  }
  const { seen, isWanted } = await watch.until(mark, isAtRest);
  Object.assign(course, { paymentId: seen._id, state: seen.state, isQuiet: isWanted });
}

/** Nothing is under way: the payment has ended, or waits for somebody else than a provider. */
function isAtRest({ state, step, dueAt }: Seen): boolean {
  if (restful.includes(state)) return step === undefined;
  return step === undefined && (dueAt === undefined || state === "PaymentAuthorized");
}

/** What the caller does once the payment is there. */
function commandOf({ type, step, way }: Target) {
  if (type !== "PULL" || !(way === "by command" || way === "in part")) return undefined;
  const named = (mark: string) => ({ tenant, externalPaymentId: mark });
  switch (step) {
    case "capture":
      return {
        states: [...restful, "PaymentAuthorized"],
        send: ({ payment }: HostileWorld, mark: string) =>
          payment.capturePayment({ ...named(mark), bodyJson: bodyOfCommand({}) }),
      };
    case "void":
      return {
        states: [...restful, "PaymentAuthorized"],
        send: ({ payment }: HostileWorld, mark: string) => payment.voidPayment(named(mark)),
      };
    case "refund":
      return {
        states: restful,
        send: ({ payment }: HostileWorld, mark: string) =>
          payment.refundPayment({
            ...named(mark),
            bodyJson: bodyOfCommand({ externalRefundId: `${mark}.r`, ...(way === "in part" ? { amount: 40 } : {}) }),
          }),
      };
    default:
      return undefined;
  }
}

const bodyOfCommand = (body: object): Buffer => Buffer.from(JSON.stringify(body));

const mostTries = 60;
const tryAgainMs = 250;
/** What a client answers by sending the same again. */
const passing = ["FUNDS_TOO_LOW", "UNAVAILABLE", "INTERNAL", "REQUEST_RUNNING", "DEADLINE_EXCEEDED"];

/** Sends a request again as clients do, until it is answered; the refusal that ends that, if one does. */
async function insist(send: () => Promise<unknown>): Promise<string | undefined> {
  for (let tries = 0; ; tries += 1) {
    try {
      await send();
      return undefined;
    } catch (error) {
      const reason = String(Object(error)["reason"] ?? "");
      if (!passing.includes(reason)) return `${reason} ${error instanceof Error ? error.message : ""}`;
      if (tries >= mostTries) return `${reason} to the end`;
      await delay(tryAgainMs);
    }
  }
}

interface Books {
  world: HostileWorld;
  ledger: LedgerBook;
  provider: ProviderBook;
}

const settleTurns = 100;
const silenceSeconds = 6 * 86_400;
const afterSilenceMs = 5_000;
const atOnce = 32;
const pageSize = 500;
const mostRounds = 4;

async function judge(books: Books, courses: readonly Course[]): Promise<Verdict[]> {
  await untilStill(books, courses);
  // The time in which a provider may stay silent is over for every step: what is unknown now is a person's.
  await books.world.sandbox.advance(silenceSeconds);
  await delay(afterSilenceMs);
  await untilStill(books, courses);
  await lookAgain(books.world, courses);
  const verdicts: Verdict[] = [];
  await inParallel(courses, async (course) => {
    verdicts.push(await judgeOne(books, course));
  });
  return verdicts;
}

/** Works on many, a bounded number at the same time. */
async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const one of queue) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Where every payment stands now. */
async function lookAgain({ mongo }: HostileWorld, courses: readonly Course[]): Promise<void> {
  const byId = new Map(courses.map((course) => [course.paymentId, course]));
  const payments = mongo.connection.collection<Seen>("payments");
  const ids = [...byId.keys()];
  for (let from = 0; from < ids.length; from += pageSize) {
    const $in = ids.slice(from, from + pageSize);
    for await (const seen of payments.find({ _id: { $in } }, { projection })) {
      const course = byId.get(seen._id);
      if (course !== undefined) Object.assign(course, { state: seen.state, isQuiet: isAtRest(seen) });
    }
  }
}

/** Waits until nothing more comes in: what is on its way arrives within seconds. */
async function untilStill({ ledger, provider }: Books, courses: readonly Course[]): Promise<void> {
  let [last, still] = [-1, 0];
  for (let turn = 0; turn < settleTurns && still < 10; turn += 1) {
    await provider.refresh();
    const open = courses.filter(({ paymentId }) => differenceOf(provider.of(paymentId), ledger.of(paymentId)).size > 0);
    still = open.length === last ? still + 1 : 0;
    last = open.length;
    await delay(200);
  }
}

async function judgeOne({ world, ledger, provider }: Books, course: Course): Promise<Verdict> {
  const { paymentId } = course;
  const verdict = (end: Verdict["end"], why = ""): Verdict => ({ course, end, why });
  if (paymentId === "") return verdict("wrong", `was not accepted: ${course.refusal}`);
  const cases = await openCases(world, paymentId);
  const difference = () => differenceOf(provider.of(paymentId), ledger.of(paymentId, cases));
  if (difference().size === 0 && course.isQuiet && cases.length === 0) return verdict("equal");
  const told = `${course.state}${course.isQuiet ? "" : ", without rest"}; books differ by ${show(difference())}`;
  if (cases.length === 0) return verdict("wrong", `${told}; no case is open; ${await storyOf(world, paymentId)}`);
  if (cases.length > 1) return verdict("wrong", `${told}; ${cases.length} cases are open`);
  const problem = await resolveCases({ world, paymentId, caseIds: cases, difference, refresh: provider.refresh });
  return problem === undefined ? verdict("resolved", told) : verdict("wrong", `${told}; ${problem}`);
}

/** Cases about references that are no payment's: what was posted for them is undone, since no provider has it in its book. */
async function closeAll({ world, ledger, provider }: Books): Promise<{ open: string[]; difference: Balance }> {
  const problems = new Map<string, string>();
  // A silence that ends meanwhile opens one more.
  for (let round = 0; round < mostRounds; round += 1) {
    const open = await openCases(world, "");
    if (open.length === 0) break;
    await inParallel(open, async (caseId) => {
      const difference = () => differenceOf(new Map(), ledger.of("", [caseId]));
      const problem = await resolveCases({
        world,
        paymentId: "",
        caseIds: [caseId],
        difference,
        refresh: provider.refresh,
      });
      if (problem !== undefined) problems.set(caseId, problem);
    });
    await delay(afterSilenceMs);
  }
  await provider.refresh();
  const left = await openCases(world, "");
  const open = await Promise.all(left.map(async (caseId) => `${problems.get(caseId)} ${await noteOf(world, caseId)}`));
  return { open, difference: differenceOf(provider.total(), ledger.total()) };
}

export const show = (difference: Balance): string =>
  difference.size === 0 ? "nothing" : [...difference].map(([key, minor]) => `${key} ${minor}`).join(", ");

/** What a case was opened for. */
async function noteOf({ payment }: HostileWorld, caseId: string): Promise<string> {
  const found = (await payment.getCase({ caseId })).case;
  return `${found?.kinds.join(", ")}: ${found?.notes.map(({ text }) => text).join("; ")}`;
}

interface Story {
  attempts?: { step: string; approach: string; outcome: string }[];
  events?: { kind: string; moved?: string }[];
}

/** What the service did and posted, for whoever looks for the cause. */
async function storyOf({ mongo }: HostileWorld, paymentId: string): Promise<string> {
  const payments = mongo.connection.collection<Story & { _id: string }>("payments");
  const { attempts = [], events = [] } = (await payments.findOne({ _id: paymentId })) ?? {};
  const calls = attempts.map(({ step, approach, outcome }) => `${approach} ${step}: ${outcome}`).join(", ");
  return `calls: ${calls}; posted: ${events.flatMap(({ kind, moved }) => (kind === "money" ? [moved] : [])).join(", ")}`;
}

/** Ids of the open cases of a payment, or of all. */
async function openCases({ payment }: HostileWorld, paymentId: string): Promise<string[]> {
  const all = { kind: CaseKind.UNSPECIFIED, tenant: "", provider: "", limit: 200 };
  const found: string[] = [];
  for (let after: string | undefined, isDone = false; !isDone; isDone = after === undefined) {
    const page = await payment.listCases({ ...all, state: CaseState.OPEN, paymentId, after });
    found.push(...page.cases.map(({ caseId }) => caseId));
    after = page.next;
  }
  return found;
}

/** Cases by name, for a list of what went wrong. */
export const described = ({ course, why }: Verdict): string => `${nameOf(course.case)}: ${why}`;

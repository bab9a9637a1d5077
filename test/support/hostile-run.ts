import { setTimeout as delay } from "node:timers/promises";
import type { Running } from "../../services/shared/process/lifecycle";
import { bodyOf } from "./hostile-bodies";
import { openLedgerBook, openProviderBook } from "./hostile-books";
import type { HostileCase, Target } from "./hostile-cases";
import { type Course, isAtRest, type Judgement, judge, projection, restful, type Seen } from "./hostile-judge";
import { rulesOf } from "./hostile-rules";
import { type SaveFaults, watchSaves } from "./hostile-saves";
import { type HostileWorld, startHostileWorld } from "./hostile-world";
import { captureOf, refundOf, voidOf } from "./payment-commands";
import { sendPayment } from "./payment-door";

const tenant = "demo";

/** Rules for a mark's orders beyond those of their case. */
export type RulesBeside = (one: HostileCase, mark: string) => readonly object[];

export interface HostileRun extends Running {
  world: HostileWorld;
  /** Runs cases, a bounded number at a time; resolves once each is at rest or clearly never will be. */
  run(cases: Iterable<HostileCase>, inFlight: number, beside?: RulesBeside): Promise<Course[]>;
  /** How often work was lost at a save. */
  struck(): number;
  /** Runs commands on open cases until all are closed, and compares each payment's books before and after. */
  judge(courses: readonly Course[]): Promise<Judgement>;
}

/** Business seconds per turn of the sandbox clock, and the real time of a turn. */
const [turnSeconds, turnMs] = [5, 250];
/** How often payments are read. */
const watchMs = 800;
/** Business time without a step after which an unfinished payment makes room for others; it is read again at the end. */
const patienceSeconds = 180;

export async function openHostileRun(): Promise<HostileRun> {
  const world = await startHostileWorld();
  const ledger = await openLedgerBook(world);
  const provider = openProviderBook(world.sandbox);
  const saves = watchSaves();
  const pump = makePump(world);
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
          const mark = nextMark();
          const course = newCourse(next.value, mark, beside(next.value, mark));
          courses.push(course);
          await runCourse({ world, saves, watch }, course);
        }
      };
      await pump.while(Promise.all(Array.from({ length: inFlight }, work)));
      return courses;
    },
    judge: (courses) => judge({ world, ledger, provider }, courses),
    async stop() {
      await watch.stop();
      saves.restore();
      await ledger.stop();
      await world.stop();
    },
  };
}

const newCourse = (one: HostileCase, mark: string, beside: readonly object[]): Course => ({
  case: one,
  mark,
  beside,
  paymentId: "",
  state: "",
  step: undefined,
  isQuiet: false,
  refusal: undefined,
});

/** Advances business time faster than real time while payments are in progress. */
function makePump({ sandbox }: HostileWorld) {
  let isRunning = false;
  let seconds = 0;
  return {
    seconds: () => seconds,
    async while(work: Promise<unknown>): Promise<void> {
      isRunning = true;
      const ended = work.finally(() => {
        isRunning = false;
      });
      while (isRunning) {
        await sandbox.advance(turnSeconds);
        seconds += turnSeconds;
        await delay(turnMs);
      }
      await ended;
    },
  };
}

type Watch = ReturnType<typeof startWatch>;

/** Watches many payments with one query a turn. */
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
      let [last, endsAt] = ["", 0];
      return new Promise((resolve) => {
        waiting.set(mark, (seen) => {
          const [wanted, where] = [isWanted(seen), `${seen.state} ${seen.step}`];
          if (where !== last) [last, endsAt] = [where, pump.seconds() + patienceSeconds];
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

async function runCourse({ world, saves, watch }: CourseDeps, course: Course): Promise<void> {
  const { mark, beside, case: one } = course;
  await world.sandbox.call("POST", "/faults", [...rulesOf(one, mark), ...beside]);
  const [when, save] = one.crash.split(" ");
  if (when === "before" || when === "after") saves.arm(mark, when, Number(save));
  const body = bodyOf(one.target, mark);
  course.refusal = await insist(() => sendPayment(world.payment, { tenant }, body));
  if (course.refusal !== undefined) return;
  const command = commandOf(one.target);
  if (command !== undefined) {
    await watch.until(mark, ({ state, step }) => command.states.includes(state) && step === undefined);
    course.refusal = await insist(() => command.send(world, mark));
  }
  const { seen, isWanted } = await watch.until(mark, isAtRest);
  Object.assign(course, { paymentId: seen._id, state: seen.state, isQuiet: isWanted });
}

/** The caller's next step once the payment exists. */
function commandOf({ type, step, way }: Target) {
  if (type !== "PULL" || !(way === "by command" || way === "in part")) return undefined;
  const named = (mark: string) => ({ tenant, externalPaymentId: mark });
  switch (step) {
    case "capture":
      return {
        states: [...restful, "PaymentAuthorized"],
        send: ({ payment }: HostileWorld, mark: string) => payment.capturePayment(captureOf(named(mark))),
      };
    case "void":
      return {
        states: [...restful, "PaymentAuthorized"],
        send: ({ payment }: HostileWorld, mark: string) => payment.voidPayment(voidOf(named(mark))),
      };
    case "refund":
      return {
        states: restful,
        send: ({ payment }: HostileWorld, mark: string) =>
          payment.refundPayment(
            refundOf(named(mark), { externalRefundId: `${mark}.r`, ...(way === "in part" ? { amount: 40 } : {}) }),
          ),
      };
    default:
      return undefined;
  }
}

const mostTries = 60;
const tryAgainMs = 250;
/** Answers after which a client repeats the request. */
const passing = ["FUNDS_TOO_LOW", "UNAVAILABLE", "INTERNAL", "REQUEST_RUNNING", "DEADLINE_EXCEEDED"];

/** Repeats a request as clients do, until it is answered; returns the refusal that ends it, if there is one. */
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

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

/** More rules for the orders of a mark than their case has. */
export type RulesBeside = (one: HostileCase, mark: string) => readonly object[];

export interface HostileRun extends Running {
  world: HostileWorld;
  /** Runs cases, so many at the same time; resolved when each is at rest or shows that it never will be. */
  run(cases: Iterable<HostileCase>, inFlight: number, beside?: RulesBeside): Promise<Course[]>;
  /** How often work was lost at a save. */
  struck(): number;
  /** Lets commands put right what has a case until nothing is open, and compares both books of each before and after. */
  judge(courses: readonly Course[]): Promise<Judgement>;
}

/** Business seconds that pass in each turn of the world, and the real time that a turn takes. */
const [turnSeconds, turnMs] = [5, 250];
/** How often payments are looked at. */
const watchMs = 800;
/** Business time after which a payment that still asks makes room for others; it is looked at again at the end. */
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

/** Lets business time run faster than real time while payments are on their way. */
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

/** What the caller does once the payment is there. */
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

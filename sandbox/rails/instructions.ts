import type { Ids } from "../../services/shared/kernel/ids";
import { type Answer, notFound, referenceConflict } from "../answer";
import type { Environment } from "../environment";
import type { Effect } from "../fault-rule";
import { contentHash, openRecordStore, type RecordStore } from "../record-store";
import { railRefusals, refuseWith } from "../refusals";
import { type Decision, type Scenario, scenarioOf } from "../scenarios";
import type { Funds } from "./funds";
import { brief, describe, type Instruction, type InstructionStatus, type Order, reportOf } from "./instruction";
import { instructionActs, paidUnder, pay, returnMoney } from "./payouts";
import { rails } from "./rail-facts";

export interface EngineDeps
  extends Pick<Environment, "database" | "clock" | "ids" | "callbacks" | "jobs" | "movements" | "acts"> {
  funds: Funds;
  /** Time from release to PAID unless the scenario differs. */
  settleAfterMs: number;
  /** Takes the fault of a settlement: true when the rail must reject a released order. */
  isSettlementRefused(rail: string, reference: string): boolean;
}

/** A rail's deviation from a new order. */
export interface Decided {
  refusal: Decision | undefined;
  /** What it executes instead of the order. */
  effect: Effect | undefined;
}

/** The rules of every push rail. Each call is on disk before it answers. */
export interface Instructions {
  /** Accepts an order without paying. A reference always means one order; `refusal` makes the rail refuse a new one. */
  prepare(rail: string, order: Order, decided: Decided): Promise<Answer>;
  /** Pays, once per reference. The only call that cannot be undone. */
  release(rail: string, reference: string, effect?: Effect): Promise<Answer>;
  /** Prepares and releases in one call, for a rail without a prepare step. */
  instruct(rail: string, order: Order, decided: Decided): Promise<Answer>;
  query(rail: string, reference: string): Answer;
  /** Ensures that the reference is never paid, even when its order has not arrived yet. */
  cancel(rail: string, reference: string): Promise<Answer>;
  find(rail: string, reference: string): Instruction | undefined;
  list(): Instruction[];
}

export type Save = (instruction: Instruction) => void;

const holdMs = 300;
const returnMs = 300;
const cancelledFirst: Decision = { reasonCode: "CUST", reason: "cancelled by reference" };
const noFunds: Decision = { reasonCode: "AM04", reason: "insufficient funds" };
const rejectedLate: Decision = { reasonCode: "AC06", reason: "account blocked" };
const returned: Decision = { reasonCode: "AC04", reason: "account closed" };
const keyOf = (rail: string, reference: string): string => `${rail}/${reference}`;

export function makeInstructions(deps: EngineDeps): Instructions {
  const { database, jobs } = deps;
  const records = openRecordStore<Instruction>(database, "instructions");
  const find = (rail: string, reference: string) => records.find(keyOf(rail, reference));
  const save: Save = (instruction) => records.save(keyOf(instruction.rail, instruction.reference), instruction);

  const prepare = (rail: string, order: Order, { refusal, effect }: Decided): Answer => {
    const found = find(rail, order.reference);
    if (found !== undefined && found.status !== "FORGOTTEN") return prepareAgain(found, order, save);
    const scenario = scenarioOf(textsOf(order));
    const no = refusal ?? scenario.refusal;
    const isHeld = scenario.hold !== undefined && no === undefined;
    const next: Instruction = {
      ...(found ?? untouched(deps, rail, order.reference)),
      status: no === undefined ? (isHeld ? "HELD" : "PREPARED") : "REFUSED",
      order,
      amount: effect?.amount ?? order.amount,
      currency: effect?.currency ?? order.currency,
      ...no,
      prepareCalls: (found?.prepareCalls ?? 0) + 1,
    };
    save(next);
    if (isHeld) jobs.add("hold", keyOf(rail, order.reference), holdMs);
    return no === undefined ? { status: 201, body: brief(next) } : refused(next);
  };
  const release = (rail: string, reference: string, effect?: Effect): Answer => {
    const found = find(rail, reference);
    if (found === undefined || found.status === "FORGOTTEN") return notFound;
    const called = { ...found, releaseCalls: found.releaseCalls + 1 };
    if (found.status !== "PREPARED") {
      save(called);
      return found.releases > 0 ? { status: 202, body: brief(called) } : conflict("not_releasable", called);
    }
    return releaseNow(deps, effect === undefined ? called : { ...called, pays: paidUnder(called, effect) }, save);
  };

  handleJobs(deps, records);
  handleActs(deps, find, save);

  return {
    prepare: (rail, order, decided) => database.write(() => prepare(rail, order, decided)),
    release: (rail, reference, effect) => database.write(() => release(rail, reference, effect)),
    instruct: (rail, order, decided) =>
      database.write(() => {
        const accepted = prepare(rail, order, decided);
        return accepted.status < 300 ? release(rail, order.reference, decided.effect) : accepted;
      }),
    find,
    query(rail, reference) {
      const found = find(rail, reference);
      return found === undefined || found.status === "FORGOTTEN" ? notFound : { status: 200, body: describe(found) };
    },
    cancel: (rail, reference) =>
      database.write(() => {
        const found = find(rail, reference) ?? untouched(deps, rail, reference);
        const called = { ...found, cancelCalls: found.cancelCalls + 1 };
        // A refused order stays refused; to the caller both mean that nothing will be paid.
        const isOver = found.status === "REFUSED" || found.releases > 0;
        const next: Instruction = isOver ? called : { ...called, status: "CANCELLED" };
        save(next);
        if (found.releases > 0) return conflict("already_released", next);
        return { status: 200, body: { ...describe(next), status: "CANCELLED" } };
      }),
    list: () => records.list(),
  };
}

/** Handles the rails' acts on command, and their reports of an instruction's state. */
function handleActs(deps: EngineDeps, find: Instructions["find"], save: Save): void {
  for (const rail of Object.keys(rails)) {
    deps.acts.on(
      rail,
      instructionActs(deps, (reference) => find(rail, reference), save),
    );
    deps.callbacks.onNotify(rail, (reference) => {
      const found = find(rail, reference);
      const movement = found?.returns.at(-1) ?? found?.payouts.at(-1);
      return found && reportOf(found, deps.clock.now().toISOString(), movement);
    });
  }
}

/** Handles the scheduled steps of instructions. */
function handleJobs(deps: EngineDeps, records: RecordStore<Instruction>): void {
  const { clock, jobs, funds, callbacks } = deps;
  const save: Save = (instruction) => records.save(keyOf(instruction.rail, instruction.reference), instruction);
  /** The instruction of a job, if it is still in the expected status. */
  const dueIn = (status: InstructionStatus, key: string): Instruction | undefined => {
    const found = records.find(key);
    return found?.status === status ? found : undefined;
  };
  jobs.on("hold", (key) => {
    const held = dueIn("HELD", key);
    if (held === undefined) return;
    const refusal = scenarioFor(held).hold?.refusal;
    notify(deps, { ...held, status: refusal === undefined ? "PREPARED" : "REFUSED", ...refusal }, save);
  });
  jobs.on("settle", (key) => {
    const instruction = dueIn("RELEASED", key);
    if (instruction !== undefined) settle(deps, instruction, save);
  });
  jobs.on("return", (key) => {
    const paid = dueIn("PAID", key);
    if (paid === undefined) return;
    const back = returnMoney({ ...deps, clock, funds }, { ...paid, status: "RETURNED", ...returned });
    save(back);
    callbacks.report(back.rail, reportOf(back, clock.now().toISOString(), back.returns.at(-1)));
  });
}

/** The texts that may name a scenario. */
const textsOf = ({ descriptor, remittance }: Order): string => `${descriptor} ${remittance}`;

const scenarioFor = ({ order }: Instruction): Scenario => scenarioOf(order === null ? "" : textsOf(order));

/** Repeating an order returns its status until it is released; after that, PREPARED. */
function prepareAgain(found: Instruction, order: Order, save: Save): Answer {
  save({ ...found, prepareCalls: found.prepareCalls + 1 });
  if (found.status === "CANCELLED") return refused({ ...found, ...cancelledFirst });
  if (contentHash(found.order) !== contentHash(order)) return referenceConflict;
  if (found.status === "REFUSED") return refused(found);
  return { status: 200, body: { ...brief(found), status: found.status === "HELD" ? "HELD" : "PREPARED" } };
}

function releaseNow(deps: EngineDeps, instruction: Instruction, save: Save): Answer {
  const scenario = scenarioFor(instruction);
  const isFirst = instruction.releaseCalls === 1;
  if (scenario.lostRelease === "forgotten" && isFirst) {
    save({ ...instruction, status: "FORGOTTEN" });
    return { ...notFound, isLost: true };
  }
  if (!deps.funds.draw(instruction.rail, instruction.currency ?? "", instruction.amount ?? "")) {
    const rejected: Instruction = { ...instruction, status: "REJECTED", ...noFunds };
    save(rejected);
    return { status: 422, body: describe(rejected) };
  }
  const at = deps.clock.now().toISOString();
  const released: Instruction = {
    ...instruction,
    status: "RELEASED",
    releases: instruction.releases + 1,
    releasedAt: at,
    endToEndId: endToEndId(instruction.rail, at, deps.ids),
    receipt: instruction.rail === "msn" ? receipt(deps.ids) : null,
  };
  save(released);
  deps.jobs.add("settle", keyOf(released.rail, released.reference), scenario.settleAfterMs ?? deps.settleAfterMs);
  return { status: 202, body: brief(released), isLost: scenario.lostRelease === "executed" && isFirst };
}

function settle(deps: EngineDeps, instruction: Instruction, save: Save): void {
  const { clock, callbacks, jobs, funds } = deps;
  const { rail, reference } = instruction;
  const scenario = scenarioFor(instruction);
  if (deps.isSettlementRefused(rail, reference)) {
    funds.give(rail, instruction.currency ?? "", instruction.amount ?? "");
    notify(deps, { ...instruction, status: "REJECTED", ...rejectedLate }, save);
    return;
  }
  const at = clock.now().toISOString();
  const paid = pay(deps, instruction);
  save(paid);
  for (const movement of paid.payouts) {
    callbacks.report(rail, reportOf(paid, at, movement), scenario.report === "twice" ? 2 : 1);
  }
  if (scenario.report === "reversed") callbacks.report(rail, reportOf(instruction, instruction.releasedAt ?? at));
  if (scenario.isReturned === true) jobs.add("return", keyOf(rail, reference), returnMs);
}

/** Saves an instruction after a scheduled step and reports it to the platform. */
function notify({ clock, callbacks }: EngineDeps, instruction: Instruction, save: Save): void {
  save(instruction);
  callbacks.report(instruction.rail, reportOf(instruction, clock.now().toISOString()));
}

const untouched = ({ clock, ids }: EngineDeps, rail: string, reference: string): Instruction => ({
  reference,
  rail,
  railId: `${rail.toUpperCase()}-${ids.uuid()}`,
  status: "CANCELLED",
  order: null,
  amount: null,
  currency: null,
  endToEndId: null,
  receipt: null,
  reasonCode: null,
  reason: null,
  prepareCalls: 0,
  releaseCalls: 0,
  cancelCalls: 0,
  releases: 0,
  payouts: [],
  returns: [],
  createdAt: clock.now().toISOString(),
  releasedAt: null,
  paidAt: null,
  returnedAt: null,
});

const conflict = (error: "already_released" | "not_releasable", instruction: Instruction): Answer =>
  refuseWith(error, brief(instruction));

/** A refusal carries one of the rail's own codes (`GET /values`) and the text of its scheme. */
const refused = ({ reference, reasonCode, reason }: Instruction): Answer => ({
  status: 422,
  body: { error: railRefusals[reasonCode ?? ""] ?? "forbidden", reference, status: "REFUSED", reasonCode, reason },
});

const alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const digits = "0123456789";
const payingBank = "99999004";

const textFrom = (alphabet: string, length: number, ids: Ids): string =>
  [...ids.bytes(length)].map((byte) => alphabet.charAt(byte % alphabet.length)).join("");

/** PIX: E, the 8 digits of the paying bank, UTC `yyyyMMddHHmm` and 11 alphanumerics. Every other rail: a UETR. */
function endToEndId(rail: string, at: string, ids: Ids): string {
  if (rail !== "pix") return ids.uuid();
  return `E${payingBank}${at.replaceAll(/\D/g, "").slice(0, 12)}${textFrom(alphanumerics, 11, ids)}`;
}

const receipt = (ids: Ids): string => textFrom(digits, 10, ids);

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CaseState, type CommandCaseRequest } from "../../proto/gen/corridor/payment/v1/case_service";
import type { Balance } from "./hostile-books";
import type { HostileWorld } from "./hostile-world";

interface Resolution {
  world: HostileWorld;
  paymentId: string;
  caseIds: readonly string[];
  /** What the provider's book has and ours has not. */
  difference(): Balance;
  /** Reads the provider's book again. */
  refresh(): Promise<void>;
}

const turns = 40;
const turnMs = 150;

/**
 * Does what an operator does with the cases of one payment: asks the provider again, and posts what the statement proves where
 * asking has not helped; then closes them. Undefined when both books are equal afterwards, else what is still wrong.
 */
export async function resolveCases(resolution: Resolution): Promise<string | undefined> {
  const { difference, caseIds, paymentId } = resolution;
  const [caseId = ""] = caseIds;
  let doing = "";
  const order = (asked: Asked): Promise<void> => {
    doing = asked.$case;
    return command(resolution, caseId, asked);
  };
  try {
    if (difference().size > 0 && paymentId !== "") {
      await order({ $case: "askProvider", value: { paymentId } });
      await untilEqual(resolution);
    }
    const left = difference();
    if (left.size > 0) {
      const postings = [...left].flatMap(([key, minor]) => {
        const [provider = "", currency = ""] = key.split(" ");
        return [
          { account: `provider/${provider}/clearing`, currency, minor },
          { account: "platform/suspense", currency, minor: -minor },
        ];
      });
      await order({ $case: "postCorrection", value: { postings } });
      await untilEqual(resolution);
    }
    // What the provider has said meanwhile may have closed it.
    if (await isOpen(resolution, caseId)) await order({ $case: "close", value: {} });
  } catch (error) {
    return `the command ${doing} failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  return difference().size === 0 ? undefined : "commands have not made the books equal";
}

type Asked = NonNullable<CommandCaseRequest["command"]>;

const isOpen = async ({ world }: Resolution, caseId: string): Promise<boolean> =>
  (await world.payment.getCase({ caseId })).case?.state === CaseState.OPEN;

async function command({ world }: Resolution, caseId: string, asked: Asked): Promise<void> {
  await world.payment.commandCase({
    caseId,
    commandId: randomUUID(),
    author: "ada",
    approver: "grace",
    note: "the provider's statement says so",
    evidence: "line of the statement",
    command: asked,
  });
}

async function untilEqual({ difference, refresh }: Resolution): Promise<void> {
  for (let turn = 0; turn < turns && difference().size > 0; turn += 1) {
    await delay(turnMs);
    await refresh();
  }
}

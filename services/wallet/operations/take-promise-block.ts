import type { Clock } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { makeTurns } from "../../shared/kernel/turns";
import { isDuplicateKey, type Transact, type Tx } from "../../shared/storage/mongo";
import { isFundingPath } from "../domain/account";
import {
  availableAtFloor,
  availableByFigure,
  type Block,
  type Figure,
  finishedOf,
  grantOf,
  type PromiseAccount,
  totalReleased,
  unbounded,
  unreturnedOf,
} from "../domain/promise";
import type { AccountStore } from "../store/account-store";
import type { PromiseStore } from "../store/promise-store";

export interface TakePromiseBlockDeps {
  transact: Transact;
  accounts: Pick<AccountStore, "settledOf">;
  promises: Pick<PromiseStore, "findBlock" | "load" | "grant">;
  /** The floor of an account without one of its own; undefined: none. */
  unsetFloor: bigint | undefined;
  clock: Clock;
  /** Throws while this replica must not write. */
  requireClock(): Promise<void>;
}

export type BlockRequest = Pick<Block, "id" | "holder" | "path" | "asset" | "wanted" | "least"> & {
  figure: Figure | undefined;
};

export type Grant = Pick<Block, "granted" | "available" | "counter"> & {
  /** When nothing was granted: the blocks that their holders have not returned. */
  unreturned: readonly string[];
};

export type TakePromiseBlock = (request: BlockRequest) => Promise<Grant>;

const tries = 8;

/** Reserves a part of an account, in a transaction that conflicts with every other reservation on the account. */
export function makeTakePromiseBlock(deps: TakePromiseBlockDeps): TakePromiseBlock {
  const inTurn = makeTurns();
  return (request) => inTurn(`${request.path}/${request.asset}`, () => takeAgainAndAgain(deps, request));
}

async function takeAgainAndAgain(deps: TakePromiseBlockDeps, request: BlockRequest): Promise<Grant> {
  await deps.requireClock();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await deps.transact((tx) => take(deps, tx, request));
    } catch (error) {
      // Two calls were first on an account or carried the same block: the second sees what the first wrote.
      if (attempt === tries || !isDuplicateKey(error)) throw error;
    }
  }
}

async function take(deps: TakePromiseBlockDeps, tx: Tx, request: BlockRequest): Promise<Grant> {
  const earlier = await deps.promises.findBlock(tx, request.id);
  if (earlier !== undefined) return requireSame(earlier, request);
  const { figure: _figure, ...facts } = request;
  const account = await deps.promises.load(tx, facts.path, facts.asset);
  const available = await availableOf(deps, tx, account, request);
  const granted = grantOf(available, facts);
  const grant = { granted, available, counter: totalReleased(account) };
  if (granted === 0n) return { ...grant, unreturned: unreturnedOf(account) };
  const block = { ...facts, ...grant, takenAt: deps.clock.now(), returned: undefined, released: 0n };
  await deps.promises.grant(tx, block, finishedOf(account));
  return { ...grant, unreturned: [] };
}

async function availableOf(
  { accounts, unsetFloor }: TakePromiseBlockDeps,
  tx: Tx,
  account: PromiseAccount,
  { path, asset, figure }: BlockRequest,
): Promise<bigint> {
  if (isFundingPath(path)) {
    const floor = account.floor ?? unsetFloor;
    return floor === undefined
      ? unbounded
      : availableAtFloor(account, await accounts.settledOf(tx, path, asset), floor);
  }
  if (figure === undefined || figure.released > totalReleased(account)) {
    const message = figure === undefined ? "is required" : "must carry a counter that this ledger returned";
    throw invalid([{ field: "figure", message: `${message} for an account of a provider` }]);
  }
  return availableByFigure(account, figure);
}

function requireSame(earlier: Block, request: BlockRequest): Grant {
  const names = ["holder", "path", "asset", "wanted", "least"] as const;
  const fields = names.filter((name) => earlier[name] !== request[name]);
  if (fields.length === 0) return { ...earlier, unreturned: [] };
  throw new DomainError("IDEMPOTENCY_CONFLICT", "the block was taken with different content", { details: { fields } });
}

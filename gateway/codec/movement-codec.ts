import { type Movement, MovementKind, MovementStatus } from "../../proto/gen/corridor/wallet/v1/movement_service";
import { formatMinor } from "../../services/shared/kernel/assets";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import type { Answered } from "../contract/infer";
import { movementKinds, movementStatuses, type walletMovement } from "../contract/movements";

/** The kind that a list is filtered by. */
export const toMovementKind = (word: (typeof movementKinds)[number] | undefined): MovementKind =>
  word === undefined ? MovementKind.UNSPECIFIED : MovementKind[word];

export function renderMovement(movement: Movement | undefined): Answered<typeof walletMovement> {
  const type = movementKinds.find((word) => MovementKind[word] === movement?.kind);
  const status = movementStatuses.find((word) => MovementStatus[word] === movement?.status);
  if (movement?.amount === undefined || movement.createdAt === undefined || type === undefined || !status) {
    throw new Error("the wallet service sent a movement without its kind, status, amount or time");
  }
  const { amountMinor, currency } = movement.amount;
  return {
    id: movement.movementId,
    externalId: movement.externalId,
    type,
    status,
    fromWallet: movement.fromWallet ?? null,
    toWallet: movement.toWallet ?? null,
    amount: exactNumber(formatMinor(amountMinor, currency)),
    accountAsset: currency,
    description: movement.description ?? null,
    createdAt: movement.createdAt,
    expiresAt: movement.expiresAt ?? null,
    endedAt: movement.endedAt ?? null,
  };
}

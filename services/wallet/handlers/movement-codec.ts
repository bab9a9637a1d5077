import {
  MovementKind,
  MovementStatus,
  type Movement as WireMovement,
} from "../../../proto/gen/corridor/wallet/v1/movement_service";
import { enumCodec } from "../../shared/kernel/enum-codec";
import type { MovementKind as KindWord, Movement } from "../domain/movement";
import type { ShownMovement } from "../operations/read-movements";
import { encodeAmount } from "./wallet-codec";

export const movementKindCodec = enumCodec<MovementKind, KindWord>({
  [MovementKind.UNSPECIFIED]: undefined,
  [MovementKind.DEBIT]: "DEBIT",
  [MovementKind.CREDIT]: "CREDIT",
  [MovementKind.PAYOUT]: "PAYOUT",
  [MovementKind.TRANSFER]: "TRANSFER",
  [MovementKind.UNRECOGNIZED]: undefined,
});

const statusCodec = enumCodec<MovementStatus, Movement["status"]>({
  [MovementStatus.UNSPECIFIED]: undefined,
  [MovementStatus.COMPLETED]: "COMPLETED",
  [MovementStatus.HELD]: "HELD",
  [MovementStatus.VOIDED]: "VOIDED",
  [MovementStatus.EXPIRED]: "EXPIRED",
  [MovementStatus.UNRECOGNIZED]: undefined,
});

export const encodeMovement = ({ id, kind, from, to, amount, status, at, ...rest }: ShownMovement): WireMovement => ({
  ...rest,
  movementId: id,
  kind: movementKindCodec.encode(kind),
  fromWallet: from,
  toWallet: to,
  amount: encodeAmount(amount),
  status: statusCodec.encode(status),
  createdAt: at,
});

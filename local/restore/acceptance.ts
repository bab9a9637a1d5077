import { createSecretKey } from "node:crypto";
import { makeAppendAuditRecords } from "../../services/auth/operations/append-audit-records";
import { makeAuditStore } from "../../services/auth/store/audit-store";
import { addLostPayments } from "../../services/payment/store/lost-payment-store";
import { restoredAnchor } from "../../services/shared/crypto/anchor";
import { latest, plusMs } from "../../services/shared/kernel/clock";
import { systemIds } from "../../services/shared/kernel/ids";
import { makeAnchorFile } from "../../services/shared/storage/anchor-file";
import { makeCheckpointStore } from "../../services/wallet/store/checkpoint-store";
import { minuteOf } from "../../services/webhook/domain/restore";
import { addRestore, readRestoreNotes } from "../../services/webhook/store/restore-store";
import { openAuditKeys } from "./check-chains";
import { type FindingCode, findingCodes } from "./finding";
import { type PublishedPayment, presentStreams } from "./published-events";
import { newestPaymentEvent, type RestoredPlatform } from "./restored-platform";

/** The findings that an operator accepted at a restore. */
export interface Acceptance {
  at: Date;
  codes: ReadonlySet<string>;
}

/** The acceptance of this restore; undefined while there is none, or when services have run since. */
export async function readAcceptances(platform: RestoredPlatform): Promise<Acceptance | undefined> {
  const newest = (await readRestoreNotes(platform.databases.webhook.connection)).at(-1);
  const { restoredTo } = platform;
  if (newest === undefined || (restoredTo !== undefined && newest.acceptedAt < restoredTo)) return undefined;
  // Findings with a lasting effect are recognised by it; the others by the acceptance alone.
  const alone: readonly FindingCode[] = ["DIFFERENT_INSTANTS", "NUMBERS_IN_USE", "BUS_UNKNOWN"];
  return { at: newest.acceptedAt, codes: new Set(alone.filter((code) => newest.codes.includes(code))) };
}

/** Parses codes such as `A,B`; throws for a code that cannot be accepted. */
export function parseCodes(words: string): FindingCode[] {
  return words.split(",").map((word) => {
    const code = Object.keys(findingCodes).find((one): one is FindingCode => one === word);
    if (code === undefined) throw new Error(`there is no finding ${word}`);
    if (findingCodes[code] !== "accept") throw new Error(`${word} cannot be accepted: it is ${findingCodes[code]}`);
    return code;
  });
}

export interface AcceptRestore {
  codes: readonly FindingCode[];
  note: string;
  /** The accepting operator. */
  operator: string;
  lost: readonly PublishedPayment[];
}

/**
 * Accepts the effects of a restore to an earlier time, and records who did. Every part may be repeated; the streams, which show what was
 * lost, are removed last.
 */
export async function acceptRestore(platform: RestoredPlatform, { codes, note, operator, lost }: AcceptRestore) {
  const { databases, now, bus } = platform;
  const { connection } = databases.webhook;
  await putAnchors(platform, codes);
  const payments = lost.flatMap(({ externalId, ...payment }) =>
    externalId === undefined ? [] : [{ ...payment, externalId }],
  );
  await addLostPayments(
    databases.payment.connection,
    payments.map(({ tenant, externalId, paymentId }) => ({ tenant, externalId, paymentId })),
  );
  const newest = await newestPaymentEvent(databases.payment.connection);
  const at = latest([now, newest === undefined ? now : plusMs(newest, 1)]);
  await addRestore(connection, { minute: minuteOf(now), at }, { acceptedAt: now, codes: [...codes] });
  await recordAcceptance(platform, `${codes.join(",")}: ${note}`, operator);
  if (bus === undefined) return;
  const { manager } = await bus.client();
  for (const stream of await presentStreams(bus)) await manager.streams.delete(stream);
}

/** Notes at the places outside the store that it was restored on purpose. Those on the bus are removed with its streams. */
async function putAnchors({ databases, settings, ...platform }: RestoredPlatform, codes: readonly FindingCode[]) {
  const { WALLET_ANCHOR_FILE: ledgerFile, AUTH_ANCHOR_FILE: auditFile } = settings;
  if (codes.includes("LEDGER_OLDER") && ledgerFile !== undefined) {
    const newest = await databases.wallet.transact((tx) => makeCheckpointStore(databases.wallet.connection).latest(tx));
    const key = createSecretKey(settings.WALLET_SEAL_KEY_FILE[0]);
    await makeAnchorFile(ledgerFile).add(restoredAnchor(key, newest ?? { number: 0, seal: "" }));
  }
  if (codes.includes("AUDIT_OLDER") && auditFile !== undefined) {
    const { newest } = await openAuditKeys({ databases, settings, ...platform });
    const { sequence: number, hash: seal } = await makeAuditStore(databases.auth.connection).head();
    await makeAnchorFile(auditFile).add(restoredAnchor(newest.key, { number, seal }));
  }
}

async function recordAcceptance(platform: RestoredPlatform, object: string, operator: string): Promise<void> {
  const { connection, transact } = platform.databases.auth;
  const audit = makeAuditStore(connection);
  const append = makeAppendAuditRecords({ transact, audit, keys: await openAuditKeys(platform) });
  await append([
    {
      at: platform.now,
      actor: `operator:${operator}`,
      tenant: "",
      action: "acceptRestore",
      object: object.slice(0, 512),
      outcome: "done",
      requestId: systemIds.uuid(),
      address: "",
      count: 1,
      session: "",
    },
  ]);
}

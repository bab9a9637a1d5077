import { type AuditKeys, auditKeyOf, auditKeysOf } from "../../services/auth/domain/audit-chain";
import { makeCompareAnchors } from "../../services/auth/operations/compare-anchors";
import { makeVerifyAudit } from "../../services/auth/operations/verify-audit";
import { makeAuditKeyStore } from "../../services/auth/store/audit-key-store";
import { makeAuditStore } from "../../services/auth/store/audit-store";
import { openAnchors } from "../../services/shared/bus/anchor-bus";
import type { Anchors } from "../../services/shared/crypto/anchor";
import { makeSealer } from "../../services/shared/crypto/sealing";
import { systemClock } from "../../services/shared/kernel/clock";
import { systemIds } from "../../services/shared/kernel/ids";
import type { Keys } from "../../services/shared/kernel/keys";
import { makeAnchorFile } from "../../services/shared/storage/anchor-file";
import { makeLedgerKeys } from "../../services/wallet/domain/ledger-keys";
import { makeVerifyLedger } from "../../services/wallet/operations/verify-ledger";
import { makeAccountStore } from "../../services/wallet/store/account-store";
import { makeCheckpointStore } from "../../services/wallet/store/checkpoint-store";
import { makeEntryStore } from "../../services/wallet/store/entry-store";
import { makeHoldExpiryStore } from "../../services/wallet/store/hold-expiry-store";
import { makeRowStore } from "../../services/wallet/store/row-store";
import { finding, type RestoreFinding } from "./finding";
import type { RestoredPlatform } from "./restored-platform";

/** Checks that the ledger is whole and as new as its anchors outside the store. */
export async function checkLedger({ databases, settings, bus }: RestoredPlatform): Promise<RestoreFinding[]> {
  const { connection } = databases.wallet;
  const { findings, entries, checkpoints } = await makeVerifyLedger({
    accounts: makeAccountStore(connection),
    entries: makeEntryStore(connection),
    rows: makeRowStore(connection),
    checkpoints: makeCheckpointStore(connection),
    expiries: makeHoldExpiryStore(connection),
    anchors: placesOf("wallet", settings.WALLET_ANCHOR_FILE, bus),
    keys: makeLedgerKeys(settings.WALLET_SEAL_KEY_FILE, systemIds),
  })();
  const older = findings.filter(({ fault }) => fault === "rolled back");
  const broken = findings.filter(({ fault }) => fault !== "rolled back");
  const say = (some: typeof findings): string[] =>
    some.map(({ fault, record, detail }) => `${fault}: ${record}, ${detail}`);
  return [
    ...(broken.length === 0 ? [] : [finding("LEDGER_BROKEN", "the ledger is not as it was written", say(broken))]),
    ...(older.length === 0
      ? []
      : [
          finding(
            "LEDGER_OLDER",
            `the ledger has ${entries} entries under ${checkpoints} checkpoints, and later ones were anchored outside of it`,
            say(older),
          ),
        ]),
  ];
}

/** Checks that the audit log is whole and as new as its anchors. */
export async function checkAudit(platform: RestoredPlatform): Promise<RestoreFinding[]> {
  const audit = makeAuditStore(platform.databases.auth.connection);
  const keys = await openAuditKeys(platform);
  const anchors = placesOf("auth", platform.settings.AUTH_ANCHOR_FILE, platform.bus);
  const none = { count: 0, faults: [] };
  const { brokenAt } = await makeVerifyAudit({ audit, keys, compareAnchors: async () => none })(undefined);
  const { faults } = await makeCompareAnchors({ audit, keys, anchors })();
  const strange = faults.filter(({ sequence }) => sequence === 0).map(({ detail }) => detail);
  const older = faults.filter(({ sequence }) => sequence > 0).map(({ detail }) => detail);
  const broken = [...(brokenAt === undefined ? [] : [`record ${brokenAt} is not as it was written`]), ...strange];
  return [
    ...(broken.length === 0 ? [] : [finding("AUDIT_BROKEN", "the audit log is not as it was written", broken)]),
    ...(older.length === 0
      ? []
      : [finding("AUDIT_OLDER", "the audit log lacks records that were anchored outside of it", older)]),
  ];
}

/** Keys of the audit chain, including those of removed sealing keys. */
export async function openAuditKeys({ databases, settings }: RestoredPlatform): Promise<AuditKeys> {
  const [newest, ...older] = settings.AUTH_SEALING_KEY_FILE;
  const own: Keys = [auditKeyOf(newest), ...older.map(auditKeyOf)];
  const sealer = makeSealer(settings.AUTH_SEALING_KEY_FILE, systemIds);
  return auditKeysOf([...own, ...(await makeAuditKeyStore(databases.auth.connection, sealer).all())]);
}

function placesOf(service: "auth" | "wallet", file: string | undefined, bus: RestoredPlatform["bus"]): Anchors[] {
  if (bus !== undefined) return openAnchors(service, file, bus, systemClock);
  return file === undefined ? [] : [makeAnchorFile(file)];
}

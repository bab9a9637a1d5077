import type { AuditServiceService } from "../../../proto/gen/corridor/auth/v1/audit_service";
import { openAnchors } from "../../shared/bus/anchor-bus";
import { type BusConsumer, startConsumer } from "../../shared/bus/bus-consumer";
import type { Inbox } from "../../shared/bus/inbox";
import type { Bus } from "../../shared/bus/jetstream";
import type { ParkedMessages } from "../../shared/bus/parked-messages";
import { keyIdOf } from "../../shared/crypto/sealing";
import type { Clock } from "../../shared/kernel/clock";
import type { Keys } from "../../shared/kernel/keys";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { Runtime } from "../../shared/process/runtime";
import type { Rpc } from "../../shared/rpc/rpc";
import { makeHolder, makeLease } from "../../shared/storage/lease";
import type { Mongo } from "../../shared/storage/mongo";
import type { AuthConfig } from "../config";
import { decodeSubscriptionEvents } from "../consumers/subscription-events";
import { type AuditKeys, auditKeyOf, auditKeysOf } from "../domain/audit-chain";
import { appendAuditRecordsHandler } from "../handlers/append-audit-records";
import { listAuditRecordsHandler } from "../handlers/list-audit-records";
import { verifyAuditHandler } from "../handlers/verify-audit";
import { makeAppendAuditRecords } from "../operations/append-audit-records";
import { makeCompareAnchors } from "../operations/compare-anchors";
import { makeForgetAudit } from "../operations/forget-audit";
import { makeRecordReported, type ReportedEntries } from "../operations/record-reported";
import { makeVerifyAudit } from "../operations/verify-audit";
import type { AuditKeyStore } from "../store/audit-key-store";
import type { AuditStore } from "../store/audit-store";
import { startAuditAnchors } from "../workers/audit-anchors";

export interface AuditDeps {
  config: AuthConfig;
  runtime: Runtime;
  mongo: Mongo;
  stores: { audit: AuditStore; auditKeys: AuditKeyStore; inbox: Inbox; parked: ParkedMessages };
  bus: Bus;
  clock: Clock;
}

/** The audit log: its RPC handlers and its background work. */
export interface AuditParts extends Running {
  handlers: Rpc<typeof AuditServiceService>;
  /** Records the events of other services. */
  told: BusConsumer;
}

const forgottenEveryMs = 3_600_000;
/** Subject on which webhook publishes the changes of its subscriptions. */
const source = { stream: "CORRIDOR_WEBHOOK", subject: "corridor.webhook.subscriptions" } as const;

export async function openAudit({ config, runtime, mongo, stores, bus, clock }: AuditDeps): Promise<AuditParts> {
  const { audit, auditKeys } = stores;
  const { logger } = runtime;
  const keys = await openKeys(config.AUTH_SEALING_KEY_FILE, auditKeys);
  const anchors = openAnchors("auth", config.AUTH_ANCHOR_FILE, bus, clock);
  const compareAnchors = makeCompareAnchors({ audit, keys, anchors });
  const keepMs = config.AUTH_AUDIT_KEEP_DAYS * 86_400_000;
  const forgetAudit = makeForgetAudit({ audit, keys, clock, keepMs });
  const forgetting = repeat(
    forgottenEveryMs,
    async () => void (await forgetAudit()),
    (error) => logger.warn(errorFields(error), "old audit records could not be removed"),
  );
  const anchoring = startAuditAnchors({
    ...runtime,
    ...{ audit, keys, anchors, compareAnchors },
    lease: makeLease({ connection: mongo.connection, name: "audit-anchors", holder: makeHolder() }),
    everyMs: config.AUTH_ANCHOR_SECONDS * 1_000,
  });
  const told = startRecording({ runtime, mongo, stores, bus }, keys);
  return {
    handlers: {
      appendAuditRecords: appendAuditRecordsHandler(makeAppendAuditRecords({ ...mongo, audit, keys })),
      listAuditRecords: listAuditRecordsHandler(audit),
      verifyAudit: verifyAuditHandler(makeVerifyAudit({ audit, keys, compareAnchors })),
    },
    told,
    ...stopAll([forgetting, anchoring, told]),
  };
}

/** Opens the chain's key of each sealing key, present or gone: a record stays verifiable for as long as it is kept. */
async function openKeys(ring: Keys, store: AuditKeyStore): Promise<AuditKeys> {
  const [newest, ...older] = ring;
  const own: Keys = [auditKeyOf(newest), ...older.map(auditKeyOf)];
  await store.keep(new Map(own.map((key) => [keyIdOf(key), key])));
  return auditKeysOf([...own, ...(await store.all())]);
}

function startRecording(
  { runtime, mongo, stores: { audit, inbox, parked }, bus }: Pick<AuditDeps, "runtime" | "mongo" | "stores" | "bus">,
  keys: AuditKeys,
): BusConsumer {
  return startConsumer<ReportedEntries>({
    ...runtime,
    ...source,
    bus,
    connection: mongo.connection,
    durable: "auth",
    decode: (payload) => ({ ...decodeSubscriptionEvents(payload), stream: source.stream }),
    keyOf: ({ subjectId }) => subjectId,
    handle: makeRecordReported({ ...mongo, inbox, audit, keys }),
    parked,
  });
}

import { askApproval } from "../../../services/auth/domain/approval";
import { unbound } from "../../../services/auth/domain/credential-bounds";
import { makeUser } from "../../../services/auth/domain/user";
import { makeAgentStore } from "../../../services/auth/store/agent-store";
import { makeApprovalStore } from "../../../services/auth/store/approval-store";
import { makeAuditKeyStore } from "../../../services/auth/store/audit-key-store";
import { makeAuditStore } from "../../../services/auth/store/audit-store";
import { makeClientStore } from "../../../services/auth/store/client-store";
import { makeCredentialStore } from "../../../services/auth/store/credential-store";
import { makeDeviceLoginStore } from "../../../services/auth/store/device-login-store";
import { makeLoginStore } from "../../../services/auth/store/login-store";
import { makeRevokedTokenStore } from "../../../services/auth/store/revoked-token-store";
import { makeSessionStore } from "../../../services/auth/store/session-store";
import { makeSigningKeyStore } from "../../../services/auth/store/signing-key-store";
import { makeTenantStore } from "../../../services/auth/store/tenant-store";
import { makeUserStore } from "../../../services/auth/store/user-store";
import { makeSealer } from "../../../services/shared/crypto/sealing";
import { systemIds } from "../../../services/shared/kernel/ids";
import { callsOf, describeQueries } from "../../support/served-by-index";

const at = new Date(0);
const agent = { id: "a", tenant: "t", email: "e", businessName: "b", externalId: "x", status: "ACTIVE", version: 2 };
const approval = askApproval({ action: "a", object: "", digest: "d", asker: "ada" }, "a", at);
const user = makeUser({ id: "u", home: "operators", email: "e", subject: undefined, roles: [], now: at });
const credential = {
  id: "c",
  kind: "key",
  tenant: "t",
  owner: "o",
  hash: "h",
  bounds: unbound,
  createdAt: at,
} as const;

describeQueries("auth", async ({ connection, tx }) => {
  const sealer = makeSealer(Buffer.alloc(32, 1), systemIds);
  const agents = makeAgentStore(connection, sealer);
  const audit = makeAuditStore(connection);
  const clients = makeClientStore(connection);
  const approvals = makeApprovalStore(connection, sealer);
  const credentials = makeCredentialStore(connection);
  const revokedTokens = makeRevokedTokenStore(connection);
  const signingKeys = makeSigningKeyStore(connection, sealer);
  const tenants = makeTenantStore(connection);
  const deviceLogin = {
    id: "l",
    home: "operators",
    sealedCode: "s",
    intervalSeconds: 5,
    askAt: at,
    endsAt: at,
  } as const;
  const event = { agent: { ...agent, createdAt: at } as never, eventAt: at, traceparent: undefined };
  return {
    agents: callsOf(agents, {
      init: "inserts",
      find: (find) => find("t", "a"),
      list: async (list) => {
        for (const status of [undefined, "ACTIVE" as const])
          for (const after of [undefined, { createdAt: at, id: "a" }]) await list("t", status, { after, limit: 5 });
      },
      add: "inserts",
      addIfAbsent: "inserts",
      save: (save) => save(agent as never),
      unpublished: async (unpublished) => [await unpublished(5), await unpublished(5, event)],
      markPublished: (markPublished) => markPublished(["a"]),
      createdSince: (createdSince) => createdSince(at),
    }),
    audit: callsOf(audit, {
      init: "inserts",
      head: (head) => head(),
      append: (append) => append(tx, [{ sequence: 1, hash: "h" } as never]),
      hashesOf: (hashesOf) => hashesOf([1, 2]),
      page: (page) => page(0, 5),
      pageBefore: async (pageBefore) => [await pageBefore(0, 5), await pageBefore(7, 5)],
      search: async (search) => {
        for (const newestFirst of [true, false]) {
          for (const name of [undefined, "actor", "tenant", "object"] as const) {
            const page = { newestFirst, limit: 5, field: name && ([name, "t"] as const) };
            await search({ ...page, after: 0, from: at, until: undefined });
            await search({ ...page, after: 1, from: undefined, until: at });
          }
        }
      },
      begin: (begin) => begin(),
      forget: (forget) => forget({ sequence: 1, hash: "h", seal: "s" }),
    }),
    auditKeys: callsOf(makeAuditKeyStore(connection, sealer), {
      init: "inserts",
      keep: (keep) => keep(new Map([["k", Buffer.alloc(32)]])),
      all: (all) => all(),
    }),
    clients: callsOf(clients, {
      init: "inserts",
      find: (find) => find("c"),
      ofTenant: (ofTenant) => ofTenant("t"),
      disabledSince: (disabledSince) => disabledSince(at),
      add: "inserts",
      change: (change) => change("t", "c", { disabledAt: at }),
    }),
    approvals: callsOf(approvals, {
      init: "inserts",
      add: "inserts",
      find: (find) => find("a"),
      page: async (page) => [await page("WAITING", at, undefined, 2), await page("SPENT", at, "a", 2)],
      save: (save) => save({ ...approval, state: "SPENT", version: 2 }),
    }),
    users: callsOf(makeUserStore(connection, sealer), {
      init: "inserts",
      find: (find) => find("operators", "u"),
      findBySubject: (findBySubject) => findBySubject("tenants", "s"),
      list: (list) => list("tenants/t", 5),
      add: "inserts",
      save: async (save) => [await save(user), await save({ ...user, subject: "s" })],
    }),
    logins: callsOf(makeLoginStore(connection), {
      init: "inserts",
      add: "inserts",
      take: (take) => take("l"),
    }),
    deviceLogins: callsOf(makeDeviceLoginStore(connection), {
      init: "inserts",
      add: "inserts",
      find: (find) => find("l"),
      save: (save) => save(deviceLogin, { ...deviceLogin, intervalSeconds: 10 }),
      take: (take) => take("l"),
    }),
    sessions: callsOf(makeSessionStore(connection), {
      init: "inserts",
      add: "inserts",
      find: (find) => find("s"),
      noteSeen: (noteSeen) => noteSeen("s", at),
      end: (end) => end("s"),
      listOf: (listOf) => listOf("u", 5),
      endOneOf: (endOneOf) => endOneOf("u", "n"),
      endAllOf: (endAllOf) => endAllOf("u"),
    }),
    credentials: callsOf(credentials, {
      init: "inserts",
      find: (find) => find("c"),
      ofTenant: (ofTenant) => ofTenant("t"),
      addFirst: "inserts",
      add: "inserts",
      addIfAbsent: async (addIfAbsent) => [await addIfAbsent(credential), await addIfAbsent(credential)],
      rehash: (rehash) => rehash("c", "h", "i"),
      revoke: (revoke) => revoke("t", "c", at),
      bind: (bind) => bind("t", "c", { ...unbound, expiresAt: at }),
      secretRules: (secretRules) => secretRules(at),
      noteUses: (noteUses) => noteUses(new Map([["c", at]])),
    }),
    revokedTokens: callsOf(revokedTokens, {
      init: "inserts",
      add: (add) => add({ id: "t", client: "c", expiresAt: at }),
      liveAt: (liveAt) => liveAt(at),
    }),
    signingKeys: callsOf(signingKeys, {
      init: "inserts",
      all: (all) => all(),
      addIfAbsent: "inserts",
      remove: (remove) => remove("kid"),
    }),
    tenants: callsOf(tenants, {
      init: "inserts",
      find: (find) => find("t"),
      all: (all) => all(),
      add: "inserts",
      change: (change) => change("t", { isDisabled: true }),
    }),
  };
});

import { randomBytes } from "node:crypto";
import { askApproval, decideApproval } from "../../../services/auth/domain/approval";
import { makeApprovalStore } from "../../../services/auth/store/approval-store";
import { makeSealer } from "../../../services/shared/crypto/sealing";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

const wish = { action: "POST /tenants", object: "", digest: "digest", asker: "ada" };
const at = new Date("2026-01-01T00:00:00Z");

describe("the store of approvals", () => {
  let store: TestStore;
  let mongo: Mongo;
  beforeAll(async () => {
    store = await startTestStore();
    const database = `auth-${randomBytes(4).toString("hex")}`;
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  it("saves one of two changes to an approval as it was read", async () => {
    const approvals = makeApprovalStore(mongo.connection, makeSealer(Buffer.alloc(32, 1), systemIds));
    await approvals.init();
    const asked = askApproval(wish, "approval-1", at);
    await approvals.add(asked, Buffer.from("{}"));

    await approvals.save(decideApproval(asked, { operator: "bob", approve: false, at }));

    const approve = decideApproval(asked, { operator: "cyd", approve: true, at });
    await expect(approvals.save(approve)).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    expect((await approvals.find("approval-1"))?.approval).toMatchObject({ state: "REFUSED", decidedBy: "bob" });
  });
});

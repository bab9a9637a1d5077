import { expectMissingIndexToFail } from "../../support/missing-index";
import { startTestStore } from "../../support/testbed";

describe("the store of a test", () => {
  it("refuses a query whose index is missing", async () => {
    const store = await startTestStore();

    await expectMissingIndexToFail(store.mongoUri);

    await store.stop();
  });
});

import { expectMissingIndexToFail } from "../support/missing-index";
import { startTestPlatform } from "../support/test-platform";

describe("the store of a tested platform", () => {
  it("refuses a query whose index is missing", async () => {
    const platform = await startTestPlatform();

    await expectMissingIndexToFail(platform.mongoUri);

    expect(await platform.stop()).toEqual([]);
  });
});

import { clientScopes, keyScopes } from "../../console/pages/keys/scopes";
import * as known from "../../services/shared/kernel/scopes";

describe("the console's form of keys", () => {
  it("offers every scope of the platform, and no other", () => {
    expect([keyScopes, clientScopes]).toEqual([known.keyScopes, known.scopes]);
  });
});

import { scenarioOf } from "./scenarios";

describe("scenarioOf", () => {
  it.each([
    ["rent", undefined],
    ["SIM:paid", undefined],
    ["rent SIM:reject-account, thanks", "AC03"],
    ["SIM:reject-account-later", undefined],
    ["sim:reject-account", undefined],
  ])("reads %j", (narrative, reasonCode) => {
    expect(scenarioOf(narrative).refusal?.reasonCode).toBe(reasonCode);
  });
});

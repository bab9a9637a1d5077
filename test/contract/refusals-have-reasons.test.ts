import { railRefusals, refusals as refusalsOfTheWorld } from "../../sandbox/refusals";
import { acquirerManifest } from "../../services/payment/adapters/acquirer/manifest";
import { refusedBy } from "../../services/payment/adapters/answers";
import { directDebitManifest, returnReasons } from "../../services/payment/adapters/direct-debit/manifest";
import { railManifest, railNames } from "../../services/payment/adapters/rail/manifest";
import { walletLedgerManifest } from "../../services/payment/adapters/wallet/manifest";
import type { ProviderManifest } from "../../services/payment/ports";
import { reasonCodes } from "../../services/shared/kernel/reason-codes";

const manifests: readonly ProviderManifest[] = [
  acquirerManifest,
  directDebitManifest,
  walletLedgerManifest,
  ...railNames.map((name) => railManifest(name, 2_000)),
];
const lists = manifests.flatMap(({ name, refusals }) =>
  Object.entries(refusals).map(([step, codes]) => ({ name, step, codes })),
);
const known = Object.keys(reasonCodes);

describe("every refusal of every adapter", () => {
  it.each(lists)("has a row of the table of reason codes: $name $step", ({ codes }) => {
    for (const [code, standsFor] of Object.entries(codes)) {
      expect(known).toContain(standsFor);
      expect(refusedBy(codes, code, undefined, undefined)?.refusal.reason.code).toBe(standsFor);
    }
  });

  it("is told by the provider's own reason where it gives one", () => {
    const codes = lists[0]?.codes ?? {};
    const [code = ""] = Object.keys(codes);
    const told = refusedBy(codes, code, { code: "AC04", text: "closed" }, undefined);

    expect(told?.refusal.reason).toEqual({ code: "AC04", text: "closed" });
    expect(refusedBy(codes, "another", { code: "AC04", text: "closed" }, undefined)).toBeUndefined();
    expect(refusedBy(codes, "constructor", undefined, undefined)).toBeUndefined();
  });

  it("and every return of a debit, and every reason of the sandbox world, is a row too", () => {
    const ofTheWorld = [
      ...Object.values(refusalsOfTheWorld).map(({ reasonCode }) => reasonCode),
      ...Object.keys(railRefusals),
    ];

    for (const code of [...Object.values(returnReasons), ...ofTheWorld]) expect(known).toContain(code);
  });
});

import { call } from "../sandbox/outside-world";
import { refusalOf } from "./looks";
import { nonsense } from "./outside";
import { type PaymentWorld, startPaymentWorld } from "./payment-world";

const rails = ["pix", "bank", "upi", "dimo", "wallet", "card", "msn"];

describe("what providers hold for us", () => {
  let world: PaymentWorld;
  const balances = async (replica: 0 | 1 = 0): Promise<Record<string, Record<string, string>>> => {
    const { providers } = await world.replicas[replica].getBalances({});
    return Object.fromEntries(
      providers.map(({ providerId, balances: rows }) => [
        providerId,
        Object.fromEntries(rows.map(({ currency, available }) => [currency, available])),
      ]),
    );
  };
  const hold = (rail: string, available: string) =>
    call("PUT", `${world.sandbox.url}/rails/${rail}/balance`, { currency: "BRL", available });
  /** Long enough for an answer to be asked for anew. */
  const later = () => world.outside.advance(31);
  const lie = (rail: string, fault: object) => world.outside.fault({ provider: rail, step: "balance", ...fault });

  beforeAll(async () => {
    world = await startPaymentWorld({}, { hasClock: true });
  }, 120_000);
  beforeEach(async () => {
    await world.outside.clearFaults();
    await later();
  });
  afterAll(() => world.stop());

  it("is what each rail says, at most half a minute old, at every replica", async () => {
    await hold("pix", "123.45");
    const first = [await balances(), await balances(1)];
    await hold("pix", "67.85");
    const kept = await balances();
    await later();
    const next = await balances();

    expect(first.map((found) => Object.keys(found).toSorted())).toEqual([rails.toSorted(), rails.toSorted()]);
    expect([...first, kept].map((found) => found["pix"]?.["BRL"])).toEqual(["123.45", "123.45", "123.45"]);
    expect(next["pix"]?.["BRL"]).toBe("67.85");
  });

  it("is asked for once by callers who come at once", async () => {
    // The second question would be refused, and its caller would miss the rail.
    await lie("pix", { delayMs: 300, times: 1 });
    await lie("pix", { execute: false });

    const found = await Promise.all([balances(), balances(), balances(), balances()]);

    expect(found.filter((one) => one["pix"] === undefined)).toEqual([]);
  });

  it.each<[string, object]>([
    ...nonsense,
    ["no list", { answer: { body: { rail: "bank", balances: { BRL: "1" } } } }],
    ["for no rail", { answer: { body: { balances: [{ currency: "BRL", available: "1" }] } } }],
    ["for another rail", { answer: { body: { rail: "pix", balances: [{ currency: "BRL", available: "1" }] } } }],
    ["401", { answer: { status: 401, body: { rail: "bank", balances: [{ currency: "BRL", available: "1" }] } } }],
    ["503", { execute: false }],
  ])("leaves out a rail that answers %s, and asks it again at once", async (_name, fault) => {
    await hold("bank", "5.25");
    await lie("bank", { times: 1, ...fault });

    const without = await balances();
    const again = await balances();

    expect(Object.keys(without).toSorted()).toEqual(rails.filter((rail) => rail !== "bank").toSorted());
    expect(again["bank"]?.["BRL"]).toBe("5.25");
  });

  it("shows no row that is no amount", async () => {
    const rows = [
      { currency: "BRL", available: "1.50" },
      { currency: "brl", available: "2" },
      { currency: "USD", available: 3 },
      { currency: "EUR", available: "1e3" },
      { currency: "MXN", available: "-4" },
      { available: "5" },
      null,
      "BRL",
    ];
    await lie("pix", { times: 1, answer: { body: { rail: "pix", balances: rows } } });

    expect((await balances())["pix"]).toEqual({ BRL: "1.50" });
  });

  it("is UNAVAILABLE when no rail answers, and is told when one does", async () => {
    for (const rail of rails) await lie(rail, { execute: false });

    const refused = await refusalOf(balances());
    await world.outside.clearFaults();

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(Object.keys(await balances())).toHaveLength(rails.length);
  });
});

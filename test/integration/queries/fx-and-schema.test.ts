import { unknownMarket } from "../../../services/fx/domain/settle-round";
import { makeExposureLimitStore } from "../../../services/fx/store/exposure-limit-store";
import { makeMarketStore } from "../../../services/fx/store/market-store";
import { makeQuoteListStore } from "../../../services/fx/store/quote-list-store";
import { makeQuoteStore } from "../../../services/fx/store/quote-store";
import { makeBankStore } from "../../../services/schema/store/bank-store";
import { makeSchemaStore } from "../../../services/schema/store/schema-store";
import { callsOf, describeQueries } from "../../support/served-by-index";

describeQueries("fx and schema", async ({ connection, tx }) => ({
  markets: callsOf(makeMarketStore(connection), {
    init: "inserts",
    findOther: (findOther) => findOther(1),
    save: (save) => save({ ...unknownMarket, version: 2 }),
  }),
  limits: callsOf(
    makeExposureLimitStore(connection, (work) => work(tx)),
    {
      init: "inserts",
      all: (all) => all(),
      of: (of) => of(["BRL", "USD"]),
      set: (set) => set({ currency: "BRL", limitMinor: 1n, author: "a", note: "n", setAt: new Date(0) }),
      take: async (take) => {
        const taking = { paymentId: "p", moves: [{ currency: "BRL", minor: 1n }], at: new Date(0) };
        await take(taking, () => {});
      },
      taken: (taken) => taken(),
      saveReading: async (saveReading) => {
        const limit = { currency: "BRL", limitMinor: 1n, author: "a", note: "n", setAt: new Date(0) };
        const taken = [{ paymentId: "p", minor: 1n, at: new Date(0) }];
        const room = { limit: { ...limit, reading: undefined, takenMinor: 1n }, readings: 0, taken };
        await saveReading(room, { at: new Date(0), netMinor: 1n }, ["p"]);
      },
      remove: (remove) => remove("BRL"),
    },
  ),
  quotes: callsOf(makeQuoteStore(connection), {
    init: "inserts",
    add: "inserts",
    find: (find) => Promise.all([find("t", "q"), find("t", "r"), find("u", "q")]),
  }),
  "lists of quotes": callsOf(makeQuoteListStore(connection), {
    init: "inserts",
    list: async (list) => {
      const none = { sourceCurrency: undefined, destinationCurrency: undefined };
      for (const filter of [none, { ...none, sourceCurrency: "USD" }, { ...none, destinationCurrency: "BRL" }])
        for (const after of [undefined, { createdAt: new Date(0), id: "q" }])
          await list("t", filter, { after, limit: 5 });
    },
  }),
  banks: callsOf(makeBankStore(connection), {
    init: "inserts",
    addMissing: (addMissing) => addMissing([{ id: "BR@1", banks: [] } as never]),
    find: (find) => find("BR@1", "001"),
    page: (page) => page("BR@1", 0, 5),
    directories: (directories) => directories(["BR@1"]),
  }),
  schemas: callsOf(makeSchemaStore(connection), {
    init: "inserts",
    find: (find) => find("BRA", "1.0.0"),
    listVersions: (listVersions) => listVersions(),
    addMissing: (addMissing) => addMissing([{ name: "BRA", version: "1.0.0", bytes: Buffer.from("{}") }]),
  }),
}));

import { mostOf, readPage } from "./read-list";

const rows = Array.from({ length: 1_000 }, (_, at) => ({ id: `row-${at}`, at }));
const placeOf = ({ id, at }: { id: string; at: number }) => ({ createdAt: new Date(at), id });

/** Rows of an index, with the number of rows that were read. */
function reading() {
  const read = { count: 0 };
  async function* records() {
    for (const row of rows) {
      read.count += 1;
      yield row;
    }
  }
  return { read, records: records() };
}

describe("a page of a list", () => {
  it("reads at most 20 entries for each row that it may show, and then says where to go on", async () => {
    const { read, records } = reading();
    const limit = 5;
    const page = await readPage(records, { limit, most: mostOf({ limit }) }, placeOf, ({ at }) => at === 999);
    expect(page.rows).toEqual([]);
    expect(page.next).toEqual({ createdAt: new Date(89), id: "row-89" });
    // The rows themselves are read, too, where the index contains only their places.
    expect(read.count + limit).toBeLessThanOrEqual(20 * limit);
  });

  it("reads no more than it shows where all are wanted", async () => {
    const { read, records } = reading();
    const page = await readPage(records, { limit: 5 }, placeOf);
    expect(page.rows.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4]);
    expect(page.next).toEqual({ createdAt: new Date(4), id: "row-4" });
    expect(read.count).toBe(6);
  });
});

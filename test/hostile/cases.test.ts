import {
  chooseCases,
  countCases,
  everyPair,
  type HostileCase,
  nameOf,
  sameEndOf,
  toldRowsOf,
} from "../support/hostile-cases";

const placeOf = ({ target: { type, adapter, step }, answer, isExecuted }: HostileCase): string =>
  `${type} ${adapter} ${step} | ${answer} | ${isExecuted}`;

describe("the cases of `make test`", () => {
  const chosen = chooseCases(5_000, 16);

  it("are 5,000 different ones of many more", () => {
    expect(new Set(chosen.map(nameOf)).size).toBe(5_000);
    expect(countCases()).toBeGreaterThan(300_000);
  });

  it("have each adapter and step with each answer, executed and not, where that can be", () => {
    const possible = new Set(everyPair(placeOf));
    const covered = new Set(chosen.map(placeOf));

    expect([...possible].filter((place) => !covered.has(place))).toEqual([]);
  });

  it("have each row of each adapter's table that a code decides", () => {
    const rowIn = ({ target, answer }: HostileCase): string => `${target.adapter} ${target.step} ${answer}`;
    const covered = new Set(chosen.map(rowIn));
    const rows = chosen.flatMap(({ target }) =>
      toldRowsOf(target).map((_, row) => `${target.adapter} ${target.step} row ${row}`),
    );

    expect(new Set(rows).size).toBeGreaterThan(15);
    expect([...new Set(rows)].filter((row) => !covered.has(row))).toEqual([]);
  });

  it("have the plain end of each adapter and step, with which others are compared", () => {
    const isPlain = ({ answer, isExecuted, question, callback, crash }: HostileCase): boolean =>
      answer === "ok" && isExecuted && question === "found" && callback === "none" && crash === "none";
    const plain = new Set(chosen.filter(isPlain).map(sameEndOf));
    const ends = new Set(everyPair((one) => sameEndOf(one) ?? "none"));

    expect([...ends].filter((end) => end !== "none" && !plain.has(end))).toEqual([]);
    expect(plain.size).toBe(ends.size - 1);
  });

  it("are others for another seed", () => {
    const others = new Set(chooseCases(5_000, 17).map(nameOf));

    expect(chosen.filter((one) => !others.has(nameOf(one))).length).toBeGreaterThan(1_000);
  });
});

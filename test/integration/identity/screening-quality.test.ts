import { defaultThreshold } from "../../../services/identity/domain/screening";
import { makeSearchable, screenSubject } from "../../../services/identity/domain/screening/screen-subject";
import { makeNameWorld, type NameWorld } from "../../support/screening/name-cases";
import { formatQuality, measureQuality } from "../../support/screening/quality";

const fixedSeed = 1;
const freshSeed = Math.floor(Math.random() * 2 ** 31);

/** What every run holds, whatever its seed. The goal is 0.96 at 3, which most seeds come near to and not all reach. */
const bar = { recall: 0.95, falsePerThousand: 7 };
const size = 20_000;

describe("screening by 20,000 entries", () => {
  const stated = (world: NameWorld, seed: number): void => {
    const quality = measureQuality(world, defaultThreshold);
    process.stdout.write(`seed ${seed}\n${formatQuality(quality)}\n`);

    expect(quality.recall).toBeGreaterThanOrEqual(bar.recall);
    expect(quality.falsePerThousand).toBeLessThanOrEqual(bar.falsePerThousand);
  };

  it("finds the known names in ten scripts, and stops few others", () => {
    stated(makeNameWorld(fixedSeed, size, 600, 2_000), fixedSeed);
  });

  it("finds names that were made for this run", () => {
    stated(makeNameWorld(freshSeed, size, 400, 3_000), freshSeed);
  });
});

describe("screening of what a search for misses has found", () => {
  it.each([
    ["Salah al-Din Al-Rashid", "Salahuddin Rashid"],
    ["عبد الرحمن الزرقاوي", "Abdurrahman Zarqawi"],
    ["Юрий Щербаков", "Jurij Schtscherbakow"],
    ["Ζαχαρίας Ουζούνης", "Zacharias Ouzounis"],
    ["Müller-Lüdenscheidt Hans", "Hans Mueller Luedenscheidt"],
    ["Lin Biao", "Lin Piao"],
    ["Szymon Krzyżanowski", "SZYMON KRZYZANOWSKI"],
    ["Anna Juhász", "Annajuhasz"],
    ["Robert Davtyan", "Robеrt Dаvtуan"],
    ["Mohammed Al Tikriti", "Muhammad at-Tikriti"],
  ])("finds %s as %s", (listed, asked) => {
    const entry = { birthPlaces: [], documents: [], countries: [], programmes: [] };
    const births = [{ from: "1950-01-01", to: "1950-12-31" }];
    const list = makeSearchable([
      { ...entry, id: "a", kind: "PERSON", names: [{ text: listed, isWeak: false }], births },
    ]);

    const found = screenSubject(list, { fullName: asked, birthDate: "1950-03-04" }, defaultThreshold);

    expect(found).toHaveLength(1);
  });
});

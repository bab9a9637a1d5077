import fc from "fast-check";
import { nearName } from "./near-name";

const names = ["firstName", "lastName", "capture", "currency", "id", "fxId"];

it.each([
  ["fristName", "firstName"],
  ["first_name", "firstName"],
  ["FIRSTNAME", "firstName"],
  ["captrue", "capture"],
  ["currncy", "currency"],
  ["fxid", "fxId"],
  ["ix", "id"],
  ["middleName", undefined],
  ["at", undefined],
  ["x", undefined],
])("finds for %p the name %p", (given, expected) => {
  expect(nearName(given, names)).toBe(expected);
});

it("finds a name that one letter is wrong of, wherever it stands", () => {
  const letter = fc.integer({ min: 0, max: "firstName".length - 1 });

  fc.assert(
    fc.property(letter, fc.constantFrom(..."qxz"), (at, wrong) => {
      const given = `firstName`.slice(0, at) + wrong + "firstName".slice(at + 1);

      expect(nearName(given, names)).toBe("firstName");
    }),
  );
});

it("finds the nearest of several", () => {
  expect(nearName("amout", ["amounts", "amount", "about"])).toBe("amount");
  expect(nearName("senders", ["sender2", "sender"])).toBe("sender2");
});

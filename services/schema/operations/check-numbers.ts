import { DomainError, type FieldViolation } from "../../shared/kernel/errors";
import type { CorridorPack } from "../domain/corridor-pack";
import {
  type CheckableNumber,
  numbersOfPayment,
  numbersOfPerson,
  type PaymentNumbers,
  type PersonNumbers,
} from "../domain/numbers";

export interface CheckNumbersDeps {
  packs: readonly CorridorPack[];
  /** What a number fails to be, or undefined; see `checksums.ts`. */
  checksums: { failure(number: CheckableNumber): Promise<string | undefined> };
}

/** The country and the subject of the numbers. */
export type Subject = { $case: "payment"; value: PaymentNumbers } | { $case: "person"; value: PersonNumbers };

/** Returns the numbers that fail their checksums; `country` is alpha-2 or alpha-3. Throws COUNTRY_UNSUPPORTED. */
export type CheckNumbers = (country: string, subject: Subject) => Promise<FieldViolation[]>;

/** Gives advice: a checksum shows that a number was mistyped, never that it is valid, so no payment is refused for it. */
export function makeCheckNumbers({ packs, checksums }: CheckNumbersDeps): CheckNumbers {
  const byCode = new Map(packs.flatMap((pack) => [pack.country, pack.alpha2].map((code) => [code, pack])));
  return async (country, subject) => {
    const pack = byCode.get(country);
    if (pack === undefined) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no such country");
    const numbers =
      subject.$case === "payment" ? numbersOfPayment(pack, subject.value) : numbersOfPerson(pack, subject.value);
    const findings = numbers.map(async (number): Promise<FieldViolation[]> => {
      const failure = await checksums.failure(number);
      return failure === undefined ? [] : [{ field: number.field, message: `does not look like ${failure}` }];
    });
    return (await Promise.all(findings)).flat();
  };
}

/**
 * Formats of postal codes by country (alpha-2): `0` matches any digit, `A` any letter, `*` either. Spaces and hyphens are optional. A
 * country that is not listed has no postal codes, or not for all its addresses.
 */
const shapes: ReadonlyMap<string, string> = new Map(
  `AD AD000|AL 0000|AM 0000,000000|AR 0000,A0000AAA|AT 0000|AU 0000|AZ AZ 0000,0000|BA 00000|BD 0000|BE 0000|BG 0000|BR 00000-000|BY 000000|CA A0A 0A0|CH 0000|CL 000-0000|CN 000000
CO 000000|CR 00000|CU 00000|CY 0000|CZ 000 00|DE 00000|DK 0000|DO 00000|DZ 00000|EC 000000|EE 00000|EG 00000,0000000|ES 00000|FI 00000|FR 00000|GB AA0A 0AA,AA00 0AA,AA0 0AA,A00 0AA,A0A 0AA,A0 0AA
GE 0000|GR 000 00|GT 00000|HN 00000|HR 00000|HU 0000|ID 00000|IE A00 ****,A0A ****|IL 0000000,00000|IN 000 000|IQ 00000|IR 00000-00000|IS 000|IT 00000|JO 00000|JP 000-0000|KE 00000|KG 000000
KR 00000|KW 00000|KZ 000000,A00A0A0|LI 0000|LK 00000|LT 00000|LU 0000|LV 0000|MA 00000|MD 0000|ME 00000|MK 0000|MT AAA 0000|MX 00000|MY 00000|NG 000000|NL 0000 AA|NO 0000|NP 00000
NZ 0000|PH 0000|PK 00000|PL 00-000|PR 00000,00000-0000|PT 0000-000|RO 000000|RS 00000,000000|RU 000000|SA 00000,00000-0000|SE 000 00|SG 000000|SI 0000|SK 000 00|SN 00000
TH 00000|TN 0000|TR 00000|TW 000,000-00,000-000|UA 00000|US 00000,00000-0000|UY 00000|UZ 000000|ZA 0000`
    .split(/[|\n]/)
    .map((row) => [row.slice(0, 2), row.slice(3)] as const),
);

const bare = (code: string): string => code.toUpperCase().replaceAll(/[\s-]/g, "");

/** What each character of a format matches. */
const kinds: Readonly<Record<string, RegExp>> = { "0": /[0-9]/, A: /[A-Z]/, "*": /[0-9A-Z]/ };

function hasShape(code: string, shape: string, country: string): boolean {
  const wanted = bare(shape);
  const isNamed = wanted.startsWith(country);
  if (code.length !== wanted.length || (isNamed && !code.startsWith(country))) return false;
  return [...code].every((sign, at) => {
    const own = isNamed && at < country.length ? "A" : wanted.charAt(at);
    return kinds[own]?.test(sign) === true;
  });
}

/**
 * Returns the format of the country's (alpha-2) postal codes if the code does not match it; undefined otherwise, and for a country
 * without a format.
 */
export function postalCodeForm(country: string, code: string): string | undefined {
  const forms = shapes.get(country)?.split(",");
  const plain = bare(code);
  // Some people put the country in front, `LT-01103` or `D-10115`.
  const readings = [plain, plain.replace(new RegExp(`^(?:${country}|[ADFHL](?=\\d{4,5}$))`), "")];
  if (forms === undefined || readings.some((reading) => forms.some((form) => hasShape(reading, form, country))))
    return undefined;
  return forms.join(" or ");
}

/** A kind of value that must never appear in clear: how to make one from a number, and how to find all of them. */
interface CanaryKind {
  make(n: number): string;
  pattern: RegExp;
}

const digits = (n: number, length: number): string => String(n).padStart(length, "0");

/** The check digit of ISO/IEC 7812-1. */
function luhn(body: string): string {
  const sum = [...body].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

function iban(n: number): string {
  const account = `CANA${digits(n, 14)}`;
  const number = [...`${account}GB00`].map((letter) => Number.parseInt(letter, 36)).join("");
  return `GB${digits(98 - Number(BigInt(number) % 97n), 2)}${account}`;
}

/** The check digits of a Brazilian CPF. */
function cpf(n: number): string {
  const body = `88${digits(n, 7)}`;
  const check = (text: string): string => {
    const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (text.length + 1 - index), 0);
    return String(((sum * 10) % 11) % 10);
  };
  const first = check(body);
  return `${body}${first}${check(`${body}${first}`)}`;
}

const letters = (n: number): string => [...digits(n, 6)].map((digit) => "abcdefghij"[Number(digit)]).join("");

const kinds = {
  pan: { make: (n) => `4929${digits(n, 11)}${luhn(`4929${digits(n, 11)}`)}`, pattern: /4929\d{12}/g },
  cvc: { make: (n) => `cvc${digits(n, 6)}`, pattern: /cvc\d{6}/g },
  iban: { make: iban, pattern: /GB\d\dCANA\d{14}/g },
  cpf: { make: cpf, pattern: /88\d{9}/g },
  birthDate: {
    make: (n) => new Date(Date.UTC(1800, 0, 1 + n)).toISOString().slice(0, 10),
    pattern: /18\d\d-\d\d-\d\d/g,
  },
  name: { make: (n) => `Zephyrine Quill${letters(n)}`, pattern: /Zephyrine Quill[a-j]{6}/g },
  email: { make: (n) => `zephyrine${digits(n, 6)}@canary.example`, pattern: /zephyrine\d{6}@canary\.example/g },
  phone: { make: (n) => `+55119${digits(n, 8)}`, pattern: /\+55119\d{8}/g },
  document: { make: (n) => `CX9${digits(n, 9)}`, pattern: /CX9\d{9}/g },
  bankToken: { make: (n) => `access-sandbox-canary${digits(n, 6)}`, pattern: /access-sandbox-canary\d{6}/g },
  apiKey: { make: (n) => `key_local_canary${digits(n, 6)}_abcdefgh`, pattern: /key_local_canary\d{6}_abcdefgh/g },
  clientSecret: { make: (n) => `secret_local_canary${digits(n, 6)}_a`, pattern: /secret_local_canary\d{6}_a/g },
  bearer: {
    make: (n) => `eyJhbGciOiJSUzI1NiJ9.canary${digits(n, 6)}.c2ln`,
    pattern: /eyJhbGciOiJSUzI1NiJ9\.canary\d{6}/g,
  },
  webhookSecret: { make: (n) => `whsec_canary${digits(n, 6)}`, pattern: /whsec_canary\d{6}/g },
} satisfies Record<string, CanaryKind>;

/** Ways in which people write a card number: alone, with an expiry date or a code, after another number, or like a telephone number. */
const cardForms: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => `${number} 12-29`,
  (number) => `1 ${number}`,
  (number) => `+${number}`,
  (number) => `${number}_123`,
];

export type CanaryName = keyof typeof kinds;
export const canaryNames = Object.keys(kinds) as CanaryName[];

const anyKind = new RegExp(
  Object.values(kinds)
    .map(({ pattern }) => pattern.source)
    .join("|"),
  "g",
);

/** Decodings of a text's encoded parts. Base64 may begin anywhere in a run of its letters. */
function* decodedRuns(text: string): Iterable<string> {
  for (const [run] of text.matchAll(/[\w.~+-]*%[0-9A-Fa-f]{2}[\w.~+%-]*/g)) {
    const spaced = run.replaceAll("+", " ");
    yield spaced.replaceAll(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  for (const [run] of text.matchAll(/Zephyrine\+Quill[a-j]{6}/g)) yield run.replace("+", " ");
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)) {
    for (let from = 0; from < 4; from += 1) yield Buffer.from(run.slice(from), "base64").toString("latin1");
    if (/^[0-9A-Fa-f]+$/.test(run)) yield Buffer.from(run, "hex").toString("latin1");
  }
}

/** A found canary and the place that it was sent to. */
export interface CanaryHit {
  kind: CanaryName;
  place: string;
}

/** Values that each identify, wherever they appear, the endpoint and field that they were sent in. */
export interface Canaries {
  plant(kind: CanaryName, place: string): string;
  /** Each kind and place once, also in percent-encoding, base64 or hex: these count as clear. */
  find(text: string): CanaryHit[];
  readonly planted: number;
}

export function makeCanaries(): Canaries {
  const places = new Map<string, CanaryHit>();
  let count = 0;
  return {
    plant(kind, place) {
      const value = kinds[kind].make(count);
      const form = kind === "pan" ? cardForms[count % cardForms.length] : undefined;
      count += 1;
      // A bearer token is recognised by its first two parts.
      places.set(kinds[kind].pattern.source.startsWith("eyJ") ? value.slice(0, value.lastIndexOf(".")) : value, {
        kind,
        place,
      });
      return form?.(value) ?? value;
    },
    find(text) {
      const found = new Map<string, CanaryHit>();
      const note = (value: string): void => {
        const hit = places.get(value);
        if (hit !== undefined) found.set(`${hit.kind} ${hit.place}`, hit);
      };
      for (const decoded of decodedRuns(text)) {
        for (const [value] of decoded.matchAll(anyKind)) note(value);
      }
      for (const { pattern } of Object.values(kinds)) {
        for (const [value] of text.matchAll(pattern)) note(value);
      }
      return [...found.values()];
    },
    get planted() {
      return count;
    },
  };
}

import corridorPayloads from "../data/corridor-payloads.json";

export type Json = Record<string, unknown>;

/** A change of a corridor's valid payload: paths to replace, then paths to delete. */
interface Variant {
  name: string;
  set?: Json;
  remove?: string[];
}

/** A payload and the field that its refusal must name; none for an accepted payload. */
export interface PayloadCase {
  country: string;
  name: string;
  payload: Json;
  expectField: string | undefined;
}

/** The payload with the value at a dotted path replaced, or deleted when none is given. */
export function changed(payload: Json, path: string, value?: unknown): Json {
  const copy = structuredClone(payload);
  const segments = path.split(".");
  const last = segments.pop() ?? "";
  let parent: Json = copy;
  for (const segment of segments) parent = parent[segment] as Json;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

function applied(payload: Json, { set = {}, remove = [] }: Variant): Json {
  const replaced = Object.entries(set).reduce((result, [path, value]) => changed(result, path, value), payload);
  return remove.reduce((result, path) => changed(result, path), replaced);
}

/** Every sample payload of every corridor. */
export const payloadCases: readonly PayloadCase[] = corridorPayloads.corridors.flatMap(
  ({ alpha3: country, valid, alsoValid, invalid }) => {
    const good: Variant[] = [{ name: "valid" }, ...alsoValid];
    const bad: (Variant & { expectField: string })[] = invalid;
    return [
      ...good.map((variant) => ({
        country,
        name: variant.name,
        payload: applied(valid, variant),
        expectField: undefined,
      })),
      ...bad.map((variant) => ({
        country,
        name: variant.name,
        payload: applied(valid, variant),
        expectField: variant.expectField,
      })),
    ];
  },
);

/** The sample payment to a country. */
export function validPayload(country: string): Json {
  const found = payloadCases.find((sample) => sample.country === country && sample.expectField === undefined);
  if (found === undefined) throw new Error(`there is no sample payload for ${country}`);
  return structuredClone(found.payload);
}

/** A push in the customer and destination variant. */
export function customerPayload(country: string, destination: Json, additionalData: Json = {}): Json {
  const { sender: _sender, recipient: _recipient, fxId: _fxId, ...root } = validPayload(country);
  const party = (countryCodeAlpha3: string, countryCode: string) => ({
    customer: {
      firstName: "Taylor",
      lastName: "Morgan",
      phoneNumber: "13055550123",
      documentNumber: "123456789",
      documentType: "NATIONAL_ID",
      email: "taylor.morgan@example.com",
      countryCodeAlpha3,
    },
    customerAddress: { stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131", countryCode },
  });
  return {
    ...root,
    exchangeRate: 5,
    sender: party("USA", "US"),
    recipient: { ...party(country, "US"), destination },
    additionalData,
  };
}

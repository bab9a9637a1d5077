import { Gender, PartyRole, PersonType } from "../../proto/gen/corridor/identity/v1/participant";
import { bodyReader } from "../contract/compile";
import { companyChange, newCompany, personRequest } from "../contract/persons";
import { renderDetails, toPersonDetails, toUpdateMask } from "./person-codec";

const bytes = (body: object | string): Buffer => Buffer.from(typeof body === "string" ? body : JSON.stringify(body));

describe("the codec of persons", () => {
  it("carries every member into the message", () => {
    const body =
      '{"type":"BUSINESS","companyName":"Acme","relatedParties":[{"participantId":"0195b2a0-0000-7000-8000-000000000001","roles":["OWNER","DIRECTOR"],"share":62.50}]}';
    const { value } = bodyReader(newCompany)(bytes(body));

    expect(toPersonDetails(value ?? {})).toMatchObject({
      type: PersonType.BUSINESS,
      gender: Gender.UNSPECIFIED,
      companyName: "Acme",
      relatedParties: [{ roles: [PartyRole.OWNER, PartyRole.DIRECTOR], sharePercent: { unscaled: 625n, scale: 1 } }],
    });
  });

  it.each([
    [{}, []],
    [{ lastName: "Lima", gender: null }, ["last_name", "gender"]],
    [{ address: null }, ["address"]],
    [{ address: {} }, []],
    [{ address: { addressLine1: "A", state: null } }, ["address.address_line1", "address.state"]],
    [{ relatedParties: null }, ["related_parties"]],
  ])("makes of the merge patch %j the mask %j", (patch, mask) => {
    const { value, violations } = bodyReader(companyChange)(bytes(patch));

    expect(violations).toBeUndefined();
    expect(toUpdateMask(value ?? {})).toEqual(mask);
  });

  it("sends a share with more digits than a message carries as one that is refused", () => {
    const share = { digits: 1n, scale: 30 };

    expect(toPersonDetails({ relatedParties: [{ share }] }).relatedParties[0]?.sharePercent).toEqual({
      unscaled: 0n,
      scale: 0,
    });
  });

  it.each([
    [500_000n, "50"],
    [625_000n, "62.5"],
    [1_000_000n, "100"],
    [1n, "0.0001"],
  ])("shows a share of %s millionths as %s per cent", (unscaled, text) => {
    const party = { participantId: "p", roles: [PartyRole.OWNER], sharePercent: { unscaled, scale: 4 } };
    const shown = renderDetails({ ...toPersonDetails({}), relatedParties: [party] });

    expect(JSON.stringify(shown.relatedParties?.[0]?.share)).toBe(text);
  });

  it("names every malformed field with what was meant", () => {
    const { violations } = bodyReader(personRequest)(
      bytes({
        type: "ROBOT",
        fristName: "x",
        birthDate: "2023-02-30",
        address: { countryCode: "BRA", emailAddress: "@" },
      }),
    );

    expect(violations).toEqual([
      { field: "type", message: "must be one of INDIVIDUAL, BUSINESS" },
      { field: "birthDate", message: expect.stringContaining("calendar") },
      { field: "address.countryCode", message: "must be an ISO 3166-1 alpha-2 code, two capital letters" },
      { field: "address.emailAddress", message: "must be an e-mail address" },
      { field: "fristName", message: "is not known; did you mean firstName?" },
    ]);
  });
});

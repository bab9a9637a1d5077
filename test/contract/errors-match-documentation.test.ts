import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publicErrors } from "../../gateway/render-error";
import { responseCodes } from "../../gateway/schemas/response-codes";
import { ErrorReason } from "../../proto/gen/corridor/common/v1/error_reason";
import { errorReasons } from "../../services/shared/errors";

const documentation = readFileSync(join(__dirname, "../../docs/errors.md"), "utf8");
const documented = [...documentation.matchAll(/^\| `(\w+)` \| `(\w+)` \| (\d{3}) \| \S/gm)].map(
  ([, reason = "", code = "", status = ""]) => ({ reason, code, status: Number.parseInt(status, 10) }),
);

describe("docs/errors.md", () => {
  it("lists every refusal with the code and status that callers get, and no other", () => {
    const real = Object.entries(publicErrors).map(([reason, { code, status }]) => ({ reason, code, status }));
    const byReason = (a: { reason: string }, b: { reason: string }): number => (a.reason < b.reason ? -1 : 1);

    expect(documented.toSorted(byReason)).toEqual(real.toSorted(byReason));
  });
});

it("lists every response code in the words of the OpenAPI document, and no other", () => {
  const listed = documentation.slice(documentation.indexOf("| Response code |"), documentation.indexOf("## The token"));
  const rows = [...listed.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code = "", meaning = ""]) => [code, meaning]);

  expect(Object.fromEntries(rows)).toEqual(responseCodes);
});

describe("the reasons of the proto", () => {
  it("are those of the code", () => {
    const wire = Object.keys(ErrorReason).filter((name) => name !== "UNSPECIFIED" && name !== "UNRECOGNIZED");

    expect(wire.toSorted()).toEqual([...errorReasons].toSorted());
  });
});

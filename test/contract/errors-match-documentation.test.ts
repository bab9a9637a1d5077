import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeOpenApi } from "../../gateway/openapi";
import { publicErrors } from "../../gateway/render-error";
import { responseCodes } from "../../gateway/schemas/response-codes";
import { ErrorReason } from "../../proto/gen/corridor/common/v1/error_reason";
import { errorReasons } from "../../services/shared/kernel/errors";
import { type ReasonRow, reasonCodes } from "../../services/shared/kernel/reason-codes";
import { uncalledTable } from "../support/declared-access";

const documentation = readFileSync(join(__dirname, "../../docs/errors.md"), "utf8");
const documented = [...documentation.matchAll(/^\| `(\w+)` \| `(\w+)` \| (\d{3}) \| \S/gm)].map(
  ([, reason = "", code = "", status = ""]) => ({ reason, code, status: Number.parseInt(status, 10) }),
);

const sectionOf = (from: string, to: string): string =>
  documentation.slice(documentation.indexOf(from), documentation.indexOf(to));

describe("docs/errors.md", () => {
  it("lists every refusal with the code and status that callers get, and no other", () => {
    const real = Object.entries(publicErrors).map(([reason, { code, status }]) => ({ reason, code, status }));
    const byReason = (a: { reason: string }, b: { reason: string }): number => (a.reason < b.reason ? -1 : 1);

    expect(documented.toSorted(byReason)).toEqual(real.toSorted(byReason));
  });
});

it("the guide of errors says what to do about every code that callers get, and about no other", () => {
  const guide = readFileSync(join(__dirname, "../../docs/guides/errors.md"), "utf8");
  const rows = guide.split("\n").filter((line) => /^\| `[A-Za-z]/.test(line));
  const told = new Set(
    rows.flatMap((line) => [...(line.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g)].map(([, code]) => code)),
  );
  const real = new Set(Object.values(publicErrors).map(({ code }) => code));

  expect([...real].filter((code) => !told.has(code))).toEqual([]);
  // What no route answers by a reason of its own: the front of a connection, and the rest of OAuth's refusals.
  const others = ["REQ_408", "REQ_431", "invalid_request", "access_denied", "temporarily_unavailable", "server_error"];
  expect([...told].filter((code) => !real.has(code ?? "") && !others.includes(code ?? ""))).toEqual([]);
});

it("lists every response code in the words of the OpenAPI document, and no other", () => {
  const listed = sectionOf("| Response code |", "## Reason codes");
  const rows = [...listed.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code = "", meaning = ""]) => [code, meaning]);

  expect(Object.fromEntries(rows)).toEqual(responseCodes);
});

describe("reason codes", () => {
  it("are listed with scheme, move and sentence, each and no other", () => {
    const section = sectionOf("| Reason code |", "## The token");
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(([, ...row]) =>
      row.join(" | "),
    );
    const real = Object.entries<ReasonRow>(reasonCodes).map(([code, { scheme, whoseMove, sentence }]) => {
      const move = typeof whoseMove === "string" ? whoseMove : `${whoseMove.pull} (pull), ${whoseMove.payout} (payout)`;
      return [code, scheme, move, sentence].join(" | ");
    });

    expect(rows.toSorted()).toEqual(real.toSorted());
  });

  it("are listed in the OpenAPI document", () => {
    const described = JSON.stringify(makeOpenApi(uncalledTable));

    for (const [code, { sentence }] of Object.entries(reasonCodes)) expect(described).toContain(`${code}: ${sentence}`);
  });
});

describe("the reasons of the proto", () => {
  it("are those of the code", () => {
    const wire = Object.keys(ErrorReason).filter((name) => name !== "UNSPECIFIED" && name !== "UNRECOGNIZED");

    expect(wire.toSorted()).toEqual([...errorReasons].toSorted());
  });
});

import { asCurl } from "./as-curl";

describe("a call as a command", () => {
  it("goes to the public address with a token, and says what the page has said", () => {
    expect(asCurl({ method: "GET", path: "/api/t/demo/v2/payments?limit=50", body: undefined })).toBe(
      `curl -sS "$BASE"'/v2/payments?limit=50' \\\n  -H "authorization: Bearer $TOKEN"`,
    );
    expect(asCurl({ method: "PATCH", path: "/api/o/tenants/demo", body: '{"isDisabled":true}' })).toContain(
      `curl -sS -X PATCH "$OPERATOR_BASE"'/tenants/demo'`,
    );
  });

  it("runs nothing that somebody has typed", () => {
    const body = `{"name":"it's $(date)"}`;
    expect(asCurl({ method: "POST", path: "/api/t/demo/people", body })).toContain(`-d '{"name":"it'\\''s $(date)"}'`);
  });
});

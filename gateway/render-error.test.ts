import { DomainError, invalid } from "../services/shared/kernel/errors";
import { type RefusedRequest, renderError, renderOauthError } from "./render-error";
import type { Answer } from "./route";

const request: RefusedRequest = { requestId: "r", scheme: "bearer", hasAuthorization: true };
const bodyOf = ({ body }: Answer): unknown => JSON.parse(Buffer.isBuffer(body) ? body.toString() : "");

describe("renderError", () => {
  it("lists the failed fields and nothing else of them", () => {
    const refusal = invalid([{ field: "amount.total", message: "must not be negative" }]);

    expect(bodyOf(renderError(refusal, request))).toEqual({
      code: "VE_001",
      message: "amount.total must not be negative",
      requestId: "r",
      errors: [{ field: "amount.total", message: "must not be negative" }],
    });
  });

  it("says nothing about a bug but that there is one", () => {
    const refusal = new DomainError("INTERNAL", "E11000 in /srv/db", { cause: new Error("stack") });

    expect(bodyOf(renderError(refusal, request))).toEqual({
      code: "SYS_500",
      message: "internal error",
      requestId: "r",
    });
    expect(bodyOf(renderOauthError(refusal))).toEqual({ error: "server_error", error_description: "internal error" });
  });

  it.each<[RefusedRequest["scheme"], boolean, string]>([
    ["bearer", false, 'Bearer realm="corridor"'],
    ["bearer", true, 'Bearer realm="corridor", error="invalid_token"'],
    ["agent", true, 'ApiKey realm="corridor", header="x-api-key"'],
  ])("asks for the credential of the scheme %s (sent: %s)", (scheme, hasAuthorization, challenge) => {
    const answer = renderError(new DomainError("UNAUTHENTICATED", "no"), { ...request, scheme, hasAuthorization });

    expect(answer).toMatchObject({ status: 401, headers: { "www-authenticate": challenge } });
  });
});

describe("renderOauthError", () => {
  it("says that an outage will pass", () => {
    const answer = renderOauthError(new DomainError("UNAVAILABLE", "away"));

    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "1", pragma: "no-cache" } });
    expect(bodyOf(answer)).toEqual({ error: "temporarily_unavailable", error_description: "away" });
  });
});

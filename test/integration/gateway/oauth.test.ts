import type { IssueTokenRequest } from "../../../proto/gen/corridor/auth/v1/auth_service";
import { DomainError } from "../../../services/shared/kernel/errors";
import { type HttpAnswer, httpCall } from "./http-call";
import { issuer } from "./peers";
import { startTestGateway, type TestGateway } from "./test-gateway";

const form = { "content-type": "application/x-www-form-urlencoded" };
const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});

describe("POST /oauth/token", () => {
  let platform: TestGateway;
  let received: IssueTokenRequest[] = [];

  beforeAll(async () => {
    platform = await startTestGateway({
      auth: {
        issueToken(request) {
          received.push(request);
          if (request.clientSecret === "wrong") {
            return Promise.reject(new DomainError("OAUTH_INVALID_CLIENT", "client authentication failed"));
          }
          if (request.scope === "admin") {
            return Promise.reject(new DomainError("OAUTH_INVALID_SCOPE", "scope holds an unknown value"));
          }
          return Promise.resolve({
            accessToken: "a.b.c",
            expiresInSeconds: 3_600,
            scope: request.scope ?? "payments fx",
          });
        },
      },
    });
  });
  beforeEach(() => {
    received = [];
  });

  const token = (body: string, headers: Record<string, string> = {}, path = "/oauth/token"): Promise<HttpAnswer> =>
    httpCall(platform.port, path, { method: "POST", body, headers: { ...form, ...headers } });

  it("takes the credentials from the body", async () => {
    const answer = await token("grant_type=client_credentials&client_id=id&client_secret=s%2B1&scope=payments+fx");

    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      access_token: "a.b.c",
      token_type: "Bearer",
      expires_in: 3_600,
      scope: "payments fx",
    });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    expect(received).toMatchObject([{ clientId: "id", clientSecret: "s+1", scope: "payments fx" }]);
  });

  it("takes the credentials from HTTP Basic, form-encoded, and the client_id beside it", async () => {
    const answer = await token("grant_type=client_credentials&client_id=i:d&scope=", basic("i%3Ad", "s%2B+1"));

    expect(answer.status).toBe(200);
    expect(received).toMatchObject([{ clientId: "i:d", clientSecret: "s+ 1", scope: undefined }]);
  });

  it.each<[string, string, Record<string, string>, string]>([
    [
      "both ways at once",
      "grant_type=client_credentials&client_id=id&client_secret=s",
      basic("id", "s"),
      "/oauth/token",
    ],
    ["two client ids", "grant_type=client_credentials&client_id=other", basic("id", "s"), "/oauth/token"],
    [
      "a repeated parameter",
      "grant_type=client_credentials&scope=a&scope=b&client_id=i&client_secret=s",
      {},
      "/oauth/token",
    ],
    ["parameters in the address", "grant_type=client_credentials", {}, "/oauth/token?client_id=i&client_secret=s"],
    ["malformed encoding", "grant_type=client_credentials&client_id=%zz&client_secret=s", {}, "/oauth/token"],
    ["raw bytes", "grant_type=client_credentials&client_id=é&client_secret=s", {}, "/oauth/token"],
    ["JSON", '{"grant_type":"client_credentials"}', { "content-type": "application/json" }, "/oauth/token"],
    ["a body too large", `scope=${"x".repeat(70_000)}`, {}, "/oauth/token"],
  ])("refuses %s as invalid_request", async (_name, body, headers, path) => {
    const answer = await token(body, headers, path);

    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: "invalid_request" });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    expect(received).toEqual([]);
  });

  it.each(["client_id=i&client_secret=s", "grant_type=&client_id=i&client_secret=s", "grant_type=password", ""])(
    "refuses '%s' as unsupported_grant_type",
    async (body) => {
      const answer = await token(body);

      expect(answer).toMatchObject({ status: 400, json: { error: "unsupported_grant_type" } });
    },
  );

  it.each<[string, string, Record<string, string>]>([
    ["no credentials", "grant_type=client_credentials", {}],
    ["no secret", "grant_type=client_credentials&client_id=i", {}],
    ["a wrong secret", "grant_type=client_credentials&client_id=i&client_secret=wrong", {}],
    ["a wrong secret in Basic", "grant_type=client_credentials", basic("i", "wrong")],
    ["another scheme", "grant_type=client_credentials", { authorization: "Bearer x" }],
    ["Basic without a colon", "grant_type=client_credentials", { authorization: "Basic YWJj" }],
    ["a secret that none can be", `grant_type=client_credentials&client_id=i&client_secret=${"x".repeat(256)}`, {}],
  ])("refuses %s as invalid_client", async (_name, body, headers) => {
    const answer = await token(body, headers);

    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({ error: "invalid_client", error_description: "client authentication failed" });
    expect(answer.headers["www-authenticate"]).toBe('Basic realm="corridor"');
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it("refuses an unknown scope as invalid_scope", async () => {
    const answer = await token("grant_type=client_credentials&client_id=i&client_secret=s&scope=admin");

    expect(answer).toMatchObject({ status: 400, json: { error: "invalid_scope" } });
  });

  it("publishes the key set as it is and the server's metadata", async () => {
    const keys = await httpCall(platform.port, "/.well-known/jwks.json");
    const metadata = await httpCall(platform.port, "/.well-known/oauth-authorization-server");

    expect(keys).toMatchObject({ status: 200, json: { keys: [platform.key.publicJwk] } });
    expect(metadata).toMatchObject({
      status: 200,
      json: {
        issuer,
        token_endpoint: `${issuer}/oauth/token`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        response_types_supported: [],
        scopes_supported: expect.arrayContaining(["payments", "verifications"]),
        tls_client_certificate_bound_access_tokens: true,
      },
    });
  });
});

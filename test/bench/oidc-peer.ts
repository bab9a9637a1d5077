import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { announce, floorSettings } from "./floor";

/** The token endpoint of oidc-provider, with one client and JWT access tokens, its records in memory. */
async function main(): Promise<void> {
  const { clientId = "", clientSecret = "", scope = "", audience = "" } = floorSettings();
  const { default: Provider } = await import("oidc-provider");
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: "bench", alg: "RS256", use: "sig" };
  const sign = { alg: "RS256" } as const;
  const server = { scope, audience, accessTokenTTL: 3_600, accessTokenFormat: "jwt", jwt: { sign } } as const;
  const provider = new Provider("http://127.0.0.1", {
    jwks: { keys: [key] },
    scopes: scope.split(" "),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ["client_credentials"],
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: [],
        response_types: [],
        scope,
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => "urn:bench",
        useGrantedResource: () => true,
        getResourceServerInfo: () => server,
      },
    },
  });
  const listener = createServer(provider.callback());
  listener.listen(0, "127.0.0.1", () => {
    const address = listener.address();
    announce(typeof address === "object" && address !== null ? address.port : 0);
  });
}

void main();

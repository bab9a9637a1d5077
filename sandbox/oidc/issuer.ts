import { randomBytes } from "node:crypto";
import express, { Router } from "express";
import { exportJWK, generateKeyPair } from "jose";
import type Provider from "oidc-provider";
import { text } from "../input";
import { escapeHtml, page } from "../page";
import { oidcClient } from "./client";
import { devicePages } from "./device-pages";
import { people, type SandboxPerson } from "./people";

const resource = "urn:corridor";
const hour = 3_600;

/** An OpenID provider with people who log in by a click. It starts at the first request, with keys of its own. */
export function oidcIssuer(baseUrl: () => string): Router {
  let started: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> => {
    started ??= startProvider(`${baseUrl()}/oidc`);
    return started;
  };
  const router = Router();
  router.get("/oidc/people/:uid", async (req, res) => {
    const issuer = await provider();
    const { prompt } = await issuer.interactionDetails(req, res);
    // The provider asks for consent to a program on the person's own machine; the click on the person's name was the consent.
    if (prompt.name === "consent") await issuer.interactionFinished(req, res, { consent: {} });
    else res.send(form(text(req.params["uid"])));
  });
  router.post("/oidc/people/:uid", express.urlencoded({ extended: false }), async (req, res) => {
    const chosen = people.find(({ id }) => id === text(req.body?.["person"]));
    if (chosen === undefined) {
      res.status(404).send(page(title, "<p>There is no user of this name.</p>"));
      return;
    }
    const amr = text(req.body?.["factors"]) === "one" ? ["pwd"] : ["pwd", "otp"];
    await (await provider()).interactionFinished(req, res, { login: { accountId: chosen.id, amr } });
  });
  router.use("/oidc", async (req, res) => (await provider()).callback()(req, res));
  return router;
}

/** The claims of a token or of a person's record. */
const claimsOf = ({ id, email, groups }: SandboxPerson) => ({ sub: id, email, email_verified: true, groups });

/** The code for which a token is issued records how its person has authenticated. */
interface TokenContext {
  oidc: { entities: { AuthorizationCode?: ProvenBy; DeviceCode?: ProvenBy } };
}

interface ProvenBy {
  amr?: string[];
  authTime?: number;
}

async function startProvider(issuer: string): Promise<Provider> {
  const { default: OidcProvider } = await import("oidc-provider");
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString("hex"), alg: "RS256", use: "sig" };
  const { clientId, audience, redirectUris } = oidcClient;
  const client = {
    client_id: clientId,
    application_type: "native",
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  const server = {
    scope: "",
    audience,
    accessTokenTTL: hour,
    accessTokenFormat: "jwt",
    jwt: { sign: { alg: "RS256" } },
  };
  const provider: Provider = new OidcProvider(issuer, {
    clients: [client],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    claims: { openid: ["sub", "groups", "amr", "acr"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Grant: hour,
      IdToken: hour,
      Interaction: hour,
      Session: hour,
    },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/oidc/people/${uid}` },
    findAccount: (_ctx: unknown, sub: string) => {
      const found = people.find(({ id }) => id === sub);
      return found && { accountId: sub, claims: () => claimsOf(found) };
    },
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId?: string } } }) {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
    extraTokenClaims: ({ oidc }: TokenContext, { accountId }: { accountId?: string }) => {
      const found = people.find(({ id }) => id === accountId);
      const { amr, authTime } = oidc.entities.AuthorizationCode ?? oidc.entities.DeviceCode ?? {};
      return found && { groups: found.groups, amr, auth_time: authTime };
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, ...devicePages },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => server,
      },
    },
  });
  return provider;
}

const title = "Who are you?";

const form = (uid: string): string =>
  page(
    title,
    `<form method="post" action="/oidc/people/${escapeHtml(uid)}">
      <label>Proven by
        <select name="factors"><option value="two">a password and a code</option><option value="one">a password alone</option></select>
      </label>
      ${people.map(({ id, name }) => `<button name="person" value="${escapeHtml(id)}">${escapeHtml(name)}</button>`).join("\n      ")}
    </form>`,
  );

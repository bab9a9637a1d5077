import { createLocalJWKSet, errors, jwtVerify } from "jose";
import { beginningOfTime, type Clock, plusMs } from "../../../shared/kernel/clock";
import { tokenLeewaySeconds } from "../../domain/access-token";
import type { KeyRing } from "./key-ring";

/** Identifies one live access token. */
export interface LiveToken {
  /** Claim `jti`. */
  id: string;
  /** Id of the OAuth client that received it. */
  client: string;
  /** End of its validity, leeway included. */
  expiresAt: Date;
}

/** Reads an access token of this issuer; undefined for any other text and for a token that has expired. */
export type ReadToken = (token: string) => Promise<LiveToken | undefined>;

export interface TokenReaderDeps {
  ring: Pick<KeyRing, "plan">;
  issuer: string;
  clock: Clock;
}

export const makeReadToken =
  ({ ring, issuer, clock }: TokenReaderDeps): ReadToken =>
  async (token) => {
    const keys = ring.plan().published.map(({ publicJwk }) => publicJwk);
    const rules = { issuer, algorithms: ["RS256"], clockTolerance: tokenLeewaySeconds, currentDate: clock.now() };
    try {
      const { payload } = await jwtVerify(token, createLocalJWKSet({ keys }), rules);
      const { jti: id = "", sub: client = "", exp = 0 } = payload;
      return { id, client, expiresAt: plusMs(beginningOfTime, (exp + tokenLeewaySeconds) * 1_000) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };

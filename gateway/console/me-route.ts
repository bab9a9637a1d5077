import type { Person } from "../../proto/gen/corridor/auth/v1/people_service";
import { plusMs } from "../../services/shared/kernel/clock";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Profile } from "../../services/shared/kernel/profile";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { isBackground, type People } from "../people";
import { permissionsOf } from "../permissions";
import type { Route } from "../route";
import { freshSeconds } from "../step-up";
import { csrfOf, readSession } from "./browser-session";
import * as contracts from "./console-contract";
import type { Cookies } from "./cookies";

export interface MeDeps {
  auth: Pick<Upstreams["auth"], "listAgents">;
  people: Pick<People, "find">;
  cookies: Cookies;
  profile: Profile;
}

const mostAgents = 200;

/** The route that says who is logged in to the console. */
export const meRoute = ({ auth, people, cookies, profile }: MeDeps): Route =>
  defineRoute({
    scheme: "none",
    proof: "login",
    tag: "Console",
    method: "GET",
    path: "/api/me",
    summary: "Who works at the console, and what it may do.",
    response: { status: 200, description: "The user.", schema: contracts.me },
    refusals: ["UNAUTHENTICATED"],
    async handle({ headers, peer: { address } }) {
      const session = readSession(cookies, headers);
      if (session === undefined) throw new DomainError("UNAUTHENTICATED", "a session is required");
      const { token, isOperator } = session;
      const person = await people.find({
        token,
        isOperator,
        agentId: undefined,
        address,
        isBackground: isBackground(headers),
      });
      const { tenant } = person;
      const agents = tenant === undefined ? [] : await agentsOf(auth, tenant);
      return { ...renderUser(person), agents, csrf: csrfOf(token), profile };
    },
  });

async function agentsOf(auth: MeDeps["auth"], tenant: string): Promise<Answered<typeof contracts.me>["agents"]> {
  const { agents } = await auth.listAgents({ tenant, status: "ACTIVE", after: undefined, limit: mostAgents });
  return agents.map(({ id: agentId, businessName: name }) => ({ agentId, name }));
}

function renderUser({ userId, tenant, roles, expiresAt, provenAt }: Person) {
  return {
    userId,
    isOperator: tenant === undefined,
    tenants: tenant === undefined ? [] : [{ tenant, roles: [...roles] }],
    roles: [...roles],
    permissions: [...permissionsOf(roles, tenant === undefined)],
    expiresAt: expiresAt?.toISOString() ?? null,
    freshUntil: provenAt === undefined ? null : plusMs(provenAt, freshSeconds * 1_000).toISOString(),
  };
}

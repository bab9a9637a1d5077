import { answer, flag, instant, listOf, oneOf, orNull, request, requestWith, text } from "../contract/parts";
import type { Schema } from "../contract/schema";

const tenant = {
  type: "string",
  description: "Slug of the tenant.",
  pattern: "^[a-z0-9][a-z0-9-]{0,62}$",
  rule: "must be the slug of a tenant",
  examples: ["demo"],
} as const satisfies Schema;

export const me = answer("ConsoleUser", "Who works at the console, and what it may do.", {
  userId: text("UUID of the user."),
  isOperator: flag("True for an operator, whose rows are under `/api/o`."),
  tenants: listOf(
    "Where the user works, with rows under `/api/t/{tenant}`; none for an operator.",
    answer("ConsoleTenant", "One tenant.", {
      tenant: text("Slug."),
      roles: listOf("Roles there.", text("A role.")),
    }),
  ),
  roles: listOf("Roles of the session.", text("A role.")),
  permissions: listOf("What these roles allow.", text("A permission.")),
  agents: listOf(
    "Agents of the tenant that work, for rows that take `x-agent-id`.",
    answer("ConsoleAgent", "An agent.", { agentId: text("UUID."), name: text("Its name.") }),
  ),
  csrf: text("Header `x-csrf` of everything that changes something."),
  expiresAt: orNull(instant("When the session ends unless it is used.")),
  freshUntil: orNull(instant("Until when calls that ask for a fresh proof need no other login.")),
  profile: oneOf("What the platform is.", ["local", "sandbox", "production"]),
});

export const options = answer("ConsoleLogins", "How people log in here.", {
  profile: oneOf("What the platform is.", ["local", "sandbox", "production"]),
  people: listOf(
    "Who can log in by a click; empty outside the local profile.",
    answer("ConsolePerson", "One of the people of a local platform.", {
      person: text("What `POST /api/auth/local` takes."),
      name: text("Name."),
      tenant: orNull(text("Slug of the tenant; null for an operator.")),
    }),
  ),
});

export const localLogin = request("ConsoleLocalLogin", "One of the people of a local platform.", {
  person: { type: "string", description: "Id.", minLength: 1, maxLength: 64 } as const satisfies Schema,
});

export const login = requestWith(
  "ConsoleLogin",
  "A login that is begun: of a tenant's people, or of operators.",
  {},
  {
    tenant,
    isOperator: flag("True for operators; a tenant is given else."),
    returnTo: {
      type: "string",
      description: "Path of the console to come back to.",
      maxLength: 1_024,
    } as const satisfies Schema,
  },
);

export const begunLogin = answer("ConsoleBegunLogin", "A login that is begun.", {
  authorizationUrl: text("Where the browser goes."),
});

const answered = (description: string) =>
  ({ type: "string", description, minLength: 1, maxLength: 4_096 }) as const satisfies Schema;

export const callbackQuery = {
  type: "object",
  description: "What the identity provider sends.",
  properties: {
    code: answered("The code."),
    state: answered("The state."),
    iss: answered("The issuer."),
  },
  // Providers send parameters of their own, such as session_state.
  additionalProperties: true,
} as const satisfies Schema;

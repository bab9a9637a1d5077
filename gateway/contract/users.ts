import {
  answer,
  answerWith,
  flag,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  request,
  requestWith,
  text,
  uuid,
} from "./parts";
import type { Schema } from "./schema";

const redirectUri = {
  type: "string",
  description: "Where the identity provider sends the browser back to: a configured address, or one of this machine.",
  minLength: 1,
  maxLength: 2_048,
  examples: ["http://127.0.0.1:49152/callback"],
} as const satisfies Schema;

export const operatorLogin = request("OperatorLogin", "A login that is begun.", { redirectUri });

const tenant = {
  type: "string",
  description: "Slug of the tenant.",
  pattern: "^[a-z0-9][a-z0-9-]{0,62}$",
  rule: "must be the slug of a tenant",
  examples: ["demo"],
} as const satisfies Schema;

export const tenantLogin = request("TenantLogin", "A login that is begun.", { tenant, redirectUri });

export const begunLogin = answer("BegunLogin", "What is needed to go on.", {
  login: text("Secret of this login. Who began it keeps it, and shows it once."),
  authorizationUrl: text("Where the browser goes: the identity provider, with state, nonce and PKCE."),
  expiresAt: instant("From when on it is too late."),
});

const answered = (description: string) =>
  ({ type: "string", description, minLength: 1, maxLength: 4_096 }) as const satisfies Schema;

export const loginAnswer = requestWith(
  "LoginAnswer",
  "What the identity provider sent the browser back with.",
  {
    login: {
      type: "string",
      description: "Secret of the login.",
      pattern: "^login_[A-Za-z0-9_-]{43}$",
      rule: "must be the secret of a login",
    } as const satisfies Schema,
    code: answered("Parameter `code`."),
    state: answered("Parameter `state`."),
  },
  { iss: answered("Parameter `iss`, where there is one.") },
);

const who = {
  userId: orNull(uuid("Id of the user; null for a static token.")),
  tenant: orNull(text("Slug of the tenant; null for an operator.")),
  roles: listOf("What it may do.", text("A role.")),
  expiresAt: orNull(instant("When the proof ends by itself; a session that is used goes on. Null: never.")),
} as const;

export const session = answer("UserSession", "Who calls.", who);
export const newSession = answer("NewUserSession", "A session, shown only here.", {
  session: text("Secret of the session: `Authorization: Bearer …`."),
  ...who,
});

export const tenantDeviceLogin = request("TenantDeviceLogin", "A login that is begun.", { tenant });

const intervalSeconds = integer("How long to wait before each question, in seconds.");

export const begunDeviceLogin = answer("BegunDeviceLogin", "What the person is shown, and what to ask with.", {
  login: text("Secret of this login. Who began it keeps it, and asks with it."),
  userCode: text("What the person types at the identity provider, and compares with what is shown there."),
  verificationUri: text("Where the person types it, in a browser of any machine."),
  verificationUriComplete: orNull(text("The same address with the code in it, where there is one.")),
  expiresAt: instant("From when on it is too late."),
  intervalSeconds,
});

export const deviceLoginQuestion = request("DeviceLoginQuestion", "A question about a login.", {
  login: {
    type: "string",
    description: "Secret of the login.",
    pattern: "^device_[A-Za-z0-9_-]{43}$",
    rule: "must be the secret of a login at a device",
    examples: [`device_${"k".repeat(43)}`],
  } as const satisfies Schema,
});

export const deviceLoginStates = ["PENDING", "SLOW_DOWN", "DENIED", "EXPIRED", "DONE"] as const;

export const deviceLoginAnswer = answerWith(
  "DeviceLogin",
  "How far a login is. `session` is there when it is `DONE`.",
  {
    state: oneOf(
      "`SLOW_DOWN`: it was asked too early, and the interval is longer from now on. `DENIED`, `EXPIRED` and `DONE` end it.",
      deviceLoginStates,
    ),
    intervalSeconds,
  },
  { session: newSession },
);

export const sessionList = answer("UserSessions", "All sessions of one user that hold.", {
  sessions: listOf(
    "The newest first, at most 100.",
    answer("OpenSession", "A session, without its secret.", {
      sessionId: uuid("Id."),
      isCurrent: flag("True for the session that asks."),
      openedAt: orNull(instant("When it was opened.")),
      seenAt: orNull(instant("When it was last used, to the minute.")),
      expiresAt: orNull(instant("When it ends unless it is used.")),
    }),
  ),
});

export const user = answer("User", "Somebody who was invited or has come.", {
  userId: uuid("Id."),
  email: orNull(text("The address that was invited; null for who came by the identity provider's word alone.")),
  roles: listOf("Roles that are bound here, beside those that the identity provider names.", text("A role.")),
  isDisabled: flag("True: it is shut out."),
  hasCome: flag("True once it has logged in."),
  createdAt: orNull(instant("When it was invited, or came.")),
});

export const userList = answer("Users", "All users.", { users: listOf("The oldest first.", user) });

const email = {
  type: "string",
  description: "Who logs in with this address, verified, within seven days.",
  pattern: "^[^\\s@]+@[^\\s@]+\\.[^\\s@.]+$",
  maxLength: 254,
  rule: "must be an e-mail address",
  examples: ["ada@example.com"],
} as const satisfies Schema;

const rolesOf = (roles: readonly string[]) => listOf("What it may do.", oneOf("A role.", roles));

export const invitationOf = (title: string, roles: readonly string[]) =>
  request(title, "A person who is invited.", { email, roles: { ...rolesOf(roles), minItems: 1 } as const });

export const userChangeOf = (title: string, roles: readonly string[]) =>
  requestWith(
    title,
    "What changes of a user. In force at once.",
    {},
    { roles: rolesOf(roles), isDisabled: flag("True shuts it out, and ends its sessions.") },
  );

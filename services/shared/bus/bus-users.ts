/** Every user of the bus, sorted. No other service may connect. */
export const busUserNames = ["auth", "gateway", "identity", "payment", "wallet", "webhook"] as const;
export type BusUserName = (typeof busUserNames)[number];

interface BusUser {
  /** Subjects of the service's own stream that it publishes to. */
  publishes: readonly string[];
  /** True when it reads individual messages of its own stream. */
  looksBack?: true;
  /** What it consumes from the streams of others. */
  consumes: readonly Consumed[];
  /** Signals that it sends, and those that it listens to. They are not stored. */
  signals?: readonly string[];
  listens?: readonly string[];
}

/** Signals that access has changed: processes drop what they have cached of credentials. */
export const accessChanged = "corridor-access";

/** Signals that a message was parked, so that its case is opened at once. */
export const messageParked = "corridor-parked";

/** Signals a tenant whose webhook subscriptions have changed: processes drop their cached copies. */
export const subscriptionsChanged = "corridor-subscriptions";

/** Signals the tenants, separated by spaces, whose event feeds have grown: waiting readers read on. */
export const feedGrew = "corridor-feeds";

/** Names a payment that has changed without an event: replicas that keep a part of it in memory read it again. */
export const paymentTouched = "corridor-payments-touched";

interface Consumed {
  of: BusUserName;
  subject: string;
  /** Name of the durable consumer, where it is not the user's own: a consumer has one subject of a stream. */
  durable?: string;
}

/** What each user may do on the bus. A service connects as the user of its name; the server refuses anything not listed. */
const busUsers: Readonly<Record<BusUserName, BusUser>> = {
  auth: {
    publishes: ["corridor.auth.agents", "corridor.auth.anchors"],
    looksBack: true,
    consumes: [{ of: "webhook", subject: "corridor.webhook.subscriptions" }],
    signals: [accessChanged, messageParked],
    listens: [accessChanged],
  },
  gateway: { publishes: [], consumes: [], listens: [accessChanged, feedGrew] },
  identity: {
    publishes: ["corridor.identity.documents", "corridor.identity.decisions", "corridor.identity.erasures"],
    consumes: [],
  },
  payment: {
    publishes: ["corridor.payment.events"],
    signals: [messageParked, paymentTouched],
    // It also listens to its own events: each replica keeps in memory what filters of lists need.
    listens: [messageParked, paymentTouched, "corridor.payment.events"],
    consumes: [
      { of: "identity", subject: "corridor.identity.decisions" },
      { of: "identity", subject: "corridor.identity.erasures", durable: "payment-erasures" },
    ],
  },
  wallet: {
    publishes: ["corridor.wallet.events", "corridor.wallet.anchors"],
    looksBack: true,
    signals: [messageParked],
    consumes: [{ of: "payment", subject: "corridor.payment.events" }],
  },
  webhook: {
    publishes: ["corridor.webhook.subscriptions"],
    signals: [messageParked, subscriptionsChanged, feedGrew],
    listens: [subscriptionsChanged],
    consumes: [
      { of: "payment", subject: "corridor.payment.events" },
      { of: "identity", subject: "corridor.identity.documents" },
      { of: "auth", subject: "corridor.auth.agents" },
    ],
  },
};

/** Subjects that one user may publish on and subscribe to, as nats-server writes them. */
interface BusPermissions {
  publish: readonly string[];
  subscribe: readonly string[];
}

/** Name of the stream that a publishing service owns. */
export const streamNameOf = (service: string): string => `CORRIDOR_${service.toUpperCase()}`;

/** Subject on which the server answers a client with its own user. */
export const userInfoSubject = "$SYS.REQ.USER.INFO";

/** Subject on which the replicas of a stream's owner wake each other. */
export const nudgeOf = (stream: string): string => `corridor-nudge.${stream}`;

/** Subject on which the replicas of a service signal each other that work will be due. */
export const dueSubjectOf = (service: BusUserName): string => `corridor-due.${service}`;

/** Subject on which consumers of a stream ask its owner for messages that they missed. */
export const replaySubjectOf = (stream: string): string => `corridor-replay.${stream}`;

/** Prefix of the subjects on which a user receives answers. Each user has its own, so none reads another's. */
export const inboxOf = (user: string): string => `_INBOX.${user}`;

/**
 * Returns what the server must allow a user: to ask who it is, to make and fill its own stream, to wake its own replicas and
 * signal due work to them, to read with its own consumers, to see the state of a stream that it consumes and ask for missed
 * messages, to send and receive its signals, and to receive its own answers. No user may delete or purge a stream, delete
 * messages or read another user's. Nor may any change a stream once it is made: its configuration could have the server copy
 * messages to subjects, and from streams, that are not the user's.
 */
function busPermissions(user: BusUserName): BusPermissions {
  const { publishes, consumes, looksBack = false, signals = [], listens = [] } = busUsers[user];
  const own = streamNameOf(user);
  const verbs = ["CREATE", "INFO", ...(looksBack ? ["MSG.GET"] : [])];
  const keeping = verbs.map((verb) => `$JS.API.STREAM.${verb}.${own}`);
  const owned = publishes.length === 0 ? [] : [...keeping, nudgeOf(own), dueSubjectOf(user), ...publishes];
  const consumed = consumes.flatMap(({ of, subject, durable = user }) => {
    const stream = streamNameOf(of);
    return [
      `$JS.API.STREAM.INFO.${stream}`,
      replaySubjectOf(stream),
      `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${subject}`,
      `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
      `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
      `$JS.ACK.${stream}.${durable}.>`,
    ];
  });
  const ownSignals = publishes.length === 0 ? [] : [nudgeOf(own), dueSubjectOf(user), replaySubjectOf(own)];
  return {
    publish: [...new Set([userInfoSubject, ...owned, ...consumed]), ...signals],
    subscribe: [`${inboxOf(user)}.>`, ...ownSignals, ...listens],
  };
}

/**
 * The `accounts` block of nats-server's configuration: one account with JetStream and a user per service, so that no client
 * is anonymous. `passwordOf` returns text that is inserted unchanged: a quoted password, or `$NAME` for a variable of the
 * server's environment. `more` are additional complete user entries.
 */
export function busAccounts(passwordOf: (user: BusUserName) => string, more: readonly string[] = []): string {
  const users = busUserNames.map((user) => {
    const { publish, subscribe } = busPermissions(user);
    const permissions = `{ publish: { allow: ${JSON.stringify(publish)} }, subscribe: { allow: ${JSON.stringify(subscribe)} } }`;
    return `{ user: "${user}", password: ${passwordOf(user)}, permissions: ${permissions} }`;
  });
  return [
    "accounts {",
    "  CORRIDOR {",
    "    jetstream: enabled",
    "    users: [",
    ...[...users, ...more].map((user) => `      ${user}`),
    "    ]",
    "  }",
    "}",
  ].join("\n");
}

/** Every user of the bus, sorted. A service that is not here has no business there. */
export const busUserNames = ["auth", "gateway", "identity", "payment", "wallet", "webhook"] as const;
export type BusUserName = (typeof busUserNames)[number];

interface BusUser {
  /** Subjects of the service's own stream on which it tells what happened. */
  tells: readonly string[];
  /** True for who reads single messages of its own stream. */
  looksBack?: true;
  /** What it takes from the streams of others. */
  hears: readonly Heard[];
  /** Signals that it gives, and those that it listens to. They are kept nowhere. */
  signals?: readonly string[];
  listens?: readonly string[];
}

/** Says that somebody's access has changed: who keeps what he knows of credentials forgets it, and asks again. */
export const accessChanged = "corridor-access";

/** Says that a message was put aside: whoever tells people about it looks at once. */
export const messageParked = "corridor-parked";

/** Says whose webhook subscriptions have changed: who keeps them in memory reads them again. */
export const subscriptionsChanged = "corridor-subscriptions";

/** Says whose feeds of events have grown, parted by spaces: who waits for something new reads on. */
export const feedGrew = "corridor-feeds";

/** Names a payment of which something has changed without an event: replicas that keep something of it in memory look again. */
export const paymentTouched = "corridor-payments-touched";

interface Heard {
  of: BusUserName;
  subject: string;
  /** Name of the durable consumer, where it is not the user's own: a consumer has one subject of a stream. */
  durable?: string;
}

/** Who may do what on the bus. Each service connects as the user of its name; what is not here the server refuses. */
const busUsers: Readonly<Record<BusUserName, BusUser>> = {
  auth: {
    tells: ["corridor.auth.agents", "corridor.auth.anchors"],
    looksBack: true,
    hears: [{ of: "webhook", subject: "corridor.webhook.subscriptions" }],
    signals: [accessChanged, messageParked],
    listens: [accessChanged],
  },
  gateway: { tells: [], hears: [], listens: [accessChanged, feedGrew] },
  identity: {
    tells: ["corridor.identity.documents", "corridor.identity.decisions", "corridor.identity.erasures"],
    hears: [],
  },
  payment: {
    tells: ["corridor.payment.events"],
    signals: [messageParked, paymentTouched],
    // Its own events, too: each replica keeps in memory what filters of lists look at.
    listens: [messageParked, paymentTouched, "corridor.payment.events"],
    hears: [
      { of: "identity", subject: "corridor.identity.decisions" },
      { of: "identity", subject: "corridor.identity.erasures", durable: "payment-erasures" },
    ],
  },
  wallet: {
    tells: ["corridor.wallet.events", "corridor.wallet.anchors"],
    looksBack: true,
    signals: [messageParked],
    hears: [{ of: "payment", subject: "corridor.payment.events" }],
  },
  webhook: {
    tells: ["corridor.webhook.subscriptions"],
    signals: [messageParked, subscriptionsChanged, feedGrew],
    listens: [subscriptionsChanged],
    hears: [
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

/** The rule for streams: each service that tells something owns one, named after it. */
export const streamNameOf = (service: string): string => `CORRIDOR_${service.toUpperCase()}`;

/** Where the server says who somebody is. */
export const userInfoSubject = "$SYS.REQ.USER.INFO";

/** Where replicas of a stream's owner wake each other. */
export const nudgeOf = (stream: string): string => `corridor-nudge.${stream}`;

/** Where replicas of a service tell each other that something will be due. */
export const dueSubjectOf = (service: BusUserName): string => `corridor-due.${service}`;

/** Where those who hear a stream ask its owner for what they missed. */
export const replaySubjectOf = (stream: string): string => `corridor-replay.${stream}`;

/** First words of the subjects on which a user gets answers. Each has its own, so that none reads those of another. */
export const inboxOf = (user: string): string => `_INBOX.${user}`;

/**
 * What the server must allow a user: to ask who it is, to keep and fill its own stream, to wake its own replicas and tell them
 * what will be due, to read with its own consumers, to see how far a stream that it hears goes and ask for what it missed, to
 * give and hear its signals, and to hear its own answers. No user may delete or purge a stream, delete messages or read another's.
 */
function busPermissions(user: BusUserName): BusPermissions {
  const { tells, hears, looksBack = false, signals = [], listens = [] } = busUsers[user];
  const own = streamNameOf(user);
  const verbs = ["CREATE", "INFO", "UPDATE", ...(looksBack ? ["MSG.GET"] : [])];
  const keeping = verbs.map((verb) => `$JS.API.STREAM.${verb}.${own}`);
  const owned = tells.length === 0 ? [] : [...keeping, nudgeOf(own), dueSubjectOf(user), ...tells];
  const heard = hears.flatMap(({ of, subject, durable = user }) => {
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
  const ownSignals = tells.length === 0 ? [] : [nudgeOf(own), dueSubjectOf(user), replaySubjectOf(own)];
  return {
    publish: [...new Set([userInfoSubject, ...owned, ...heard]), ...signals],
    subscribe: [`${inboxOf(user)}.>`, ...ownSignals, ...listens],
  };
}

/**
 * The `accounts` block of nats-server's configuration: one account with JetStream and a user per service, so that nobody
 * is anonymous. `passwordOf` gives text that is put there as it is: a quoted password, or `$NAME` for a variable of the
 * server's environment. `more` are whole user entries beside those.
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

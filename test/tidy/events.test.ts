import { type Change as PaymentChange, type PaymentEvent, unchanged } from "../../services/payment/domain/payment";
import { agentCreatedNotification } from "../../services/webhook/domain/agent-event";
import { documentNotification } from "../../services/webhook/domain/document-event";
import { bodyOf, type Notification } from "../../services/webhook/domain/event";
import { eventNames } from "../../services/webhook/domain/event-names";
import { type Change, changeNotification } from "../../services/webhook/domain/transaction-event";
import { type Told, tell as tellPayment } from "../support/facts";
import { builtAt as at, newPayment } from "../support/payment-builder";
import { textOf } from "./tree";

const documentation = textOf("docs/events.md");
const tenant = "demo";
const tell = (change: Change): Notification =>
  changeNotification({ tenant, transactionId: "id", externalTransactionId: null }, change, []);
const payout = { oldStatus: null, newStatus: "AUTHORIZED", gatewayPaymentId: null, gmtReceipt: null, amount: null };
const document = { entityId: "", entityType: "", documentType: "", verificationStatus: "", occurredAt: at };
const agent = { email: "", businessName: "", externalId: null, status: "", createdAt: at };

/** What subscriptions receive, by the kind of change. */
const tellings: Readonly<Record<string, Notification>> = {
  status: tell({ kind: "status", oldStatus: null, newStatus: "Created" }),
  compliance: tell({ kind: "compliance", oldStatus: null, newStatus: "Pending" }),
  payout: tell({ kind: "payout", ...payout }),
  document: documentNotification({ tenant, documentId: "id", ...document }),
  agent: agentCreatedNotification({ tenant, agentId: "id", ...agent }),
};

const busMessages = ["PaymentEvents", "DocumentEvents", "DecisionEvents", "ErasureEvents", "AgentEvents"];

/** Kinds of change in a message of the bus. */
function kindsOf(proto: string): string[] {
  const [, oneof = ""] = /oneof change \{(.*?)\n {2}\}/s.exec(textOf(proto)) ?? [];
  return [...oneof.matchAll(/^ {4}\w+ (\w+) = \d+;/gm)].map(([, kind = ""]) => kind);
}

/** The events of a push that is screened, and that its rail prepares, releases and pays. */
function paidPush(): readonly PaymentEvent[] {
  const reports: readonly Told[] = [
    { role: "payout", kind: "PREPARED" },
    { role: "screening", status: "APPROVED" },
    { role: "payout", kind: "RELEASED" },
    { role: "payout", kind: "PAID" },
  ];
  let change: PaymentChange = newPayment("PUSH");
  const events = [...change.events];
  for (const report of reports) {
    change = tellPayment(unchanged(change.next), report, at);
    events.push(...change.events);
  }
  return events;
}

const storyRow = (event: PaymentEvent): unknown[] =>
  event.kind === "money"
    ? [event.sequence, event.kind, "", event.moved]
    : [event.sequence, event.kind, event.oldStatus ?? "", event.newStatus];

/** Rows `| kind | webhook event | fields |` of the documentation. */
const documented = [...documentation.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (`.+`) +\|$/gm)].map(
  ([, kind = "", name = "", fields = ""]) => ({
    kind,
    name,
    fields: [...fields.matchAll(/`(\w+)`/g)].map(([, field = ""]) => field),
  }),
);

describe("docs/events.md", () => {
  it("lists each kind of change with the webhook event and its body, in order", () => {
    const real = Object.entries(tellings).map(([kind, notification]) => {
      const fields = Object.keys(JSON.parse(bodyOf(notification.name, notification.fields)) as object);
      return { kind, name: notification.name, fields };
    });

    expect(documented).toEqual(real);
  });

  it("knows every kind of change that the bus carries", () => {
    expect(kindsOf("proto/corridor/payment/v1/payment_events.proto")).toEqual([
      "status",
      "compliance",
      "payout",
      "money",
    ]);
    expect(kindsOf("proto/corridor/auth/v1/agent_events.proto")).toEqual(["created"]);
  });

  it("tells the story of a paid push as it happens", () => {
    const rows = [...documentation.matchAll(/^\| (\d+) +\| `(\w+)` +\| (\w*) *\| (\w+) +\|$/gm)].map(
      ([, sequence = "", ...words]) => [Number.parseInt(sequence, 10), ...words],
    );

    expect(rows).toEqual(paidPush().map(storyRow));
  });

  it("names every event that can be subscribed to", () => {
    const names = [...documentation.matchAll(/`([A-Z]\w+(?:Changed|Event|Events))`/g)].map(([, name = ""]) => name);

    expect([...new Set(names)].filter((name) => !busMessages.includes(name)).toSorted()).toEqual(eventNames.toSorted());
  });
});

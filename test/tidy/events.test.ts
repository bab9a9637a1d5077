import { createPush, type Payer, type PaymentEvent, unchanged } from "../../services/payment/domain/payment";
import { applyReport, type RailStatus } from "../../services/payment/domain/rail-report";
import { money } from "../../services/shared/money";
import { eventNames } from "../../services/webhook/domain/event-names";
import {
  type Change,
  deliveryBody,
  eventNameOf,
  type TransactionEvent,
} from "../../services/webhook/domain/transaction-event";
import { textOf } from "./tree";

const documentation = textOf("docs/events.md");
const proto = textOf("proto/corridor/payment/v1/payment_events.proto");

const changes: Record<Change["kind"], Change> = {
  status: { kind: "status", oldStatus: null, newStatus: "Created" },
  compliance: { kind: "compliance", oldStatus: null, newStatus: "Pending" },
  payout: {
    kind: "payout",
    oldStatus: null,
    newStatus: "AUTHORIZED",
    gatewayPaymentId: null,
    gmtReceipt: null,
    amount: { total: "543.21", currency: "BRL" },
  },
};

const eventOf = (change: Change): TransactionEvent => ({
  id: "event",
  sequence: 1,
  occurredAt: new Date("2026-01-01T00:00:00Z"),
  traceparent: undefined,
  messages: [],
  change,
});

/** The events of a push that its rail prepares, releases and pays. */
function paidPush(): readonly PaymentEvent[] {
  const [at, words] = [new Date("2026-01-01T00:00:00Z"), { firstName: "", lastName: "", phoneNumber: "", email: "" }];
  const address = { countryCode: "USA", stateCode: "", state: "", city: "", line1: "", line2: "", zipCode: "" };
  const payer: Payer = { ...words, ...address };
  const recipient = { key: "", keyType: "EMAIL", recipientName: "", recipientDocument: "", narrative: "" };
  const instruction = { rail: "pix", reference: "id", amount: money(54_321n, "BRL"), ...recipient };
  const facts = { id: "id", tenant: "demo", externalId: "order-1", quoteId: undefined, ipAddress: "", traceparent: "" };
  let change = createPush({ ...facts, amount: money(10_000n, "USD"), payer, instruction, createdAt: at });
  const events = [...change.events];
  for (const status of ["PREPARED", "RELEASED", "PAID"] satisfies RailStatus[]) {
    const report = { reference: "id", status, railId: "rail-1", reason: undefined };
    change = applyReport(unchanged(change.next), report, at);
    events.push(...change.events);
  }
  return events;
}

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
    const transaction = { tenant: "demo", transactionId: "id", externalTransactionId: null };
    const real = Object.values(changes).map((change) => {
      const event = eventOf(change);
      const body = JSON.parse(deliveryBody(eventNameOf(event), transaction, event)) as object;
      return { kind: change.kind, name: eventNameOf(event), fields: Object.keys(body) };
    });

    expect(documented).toEqual(real);
  });

  it("lists the kinds of the bus message", () => {
    const [, oneof = ""] = /oneof change \{(.*?)\n {2}\}/s.exec(proto) ?? [];
    const kinds = [...oneof.matchAll(/^ {4}\w+ (\w+) = \d+;/gm)].map(([, kind = ""]) => kind);

    expect([...documented.map(({ kind }) => kind), "money"]).toEqual(kinds);
    expect(documentation).toContain("`money`");
  });

  it("tells the story of a paid push as it happens", () => {
    const rows = [...documentation.matchAll(/^\| (\d+) +\| `(\w+)` +\| (\w*) *\| (\w+) +\|$/gm)].map(
      ([, sequence = "", ...words]) => [Number.parseInt(sequence, 10), ...words],
    );

    expect(rows).toEqual(paidPush().map((one) => [one.sequence, one.kind, one.oldStatus ?? "", one.newStatus]));
  });

  it("names every event that can be subscribed to", () => {
    const names = [...documentation.matchAll(/`(\w+(?:Changed|Event|Events))`/g)].map(([, name = ""]) => name);

    expect([...new Set(names)].filter((name) => name !== "PaymentEvents").toSorted()).toEqual(eventNames.toSorted());
  });
});

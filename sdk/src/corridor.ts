import { type Call, makeCall } from "./call.ts";
import { type Events, makeEvents } from "./events.ts";
import { requireExactJson } from "./json.ts";
import { type CallOptions, type CorridorOptions, systemClock } from "./options.ts";
import { makeCompanies, makePeople, makeSessions } from "./resources/participants.ts";
import { makeChecks, makePayments, makeQuotes } from "./resources/payments.ts";
import { makeReference, makeSchemas } from "./resources/reference.ts";
import { makeSubscriptions } from "./resources/subscriptions.ts";
import { makeAccounts, makeAgents, makeTransactions } from "./resources/transactions.ts";
import { makeWallets } from "./resources/wallets.ts";

/** A client of the platform. It stores an access token and nothing else; its credentials are not among its members. */
export class Corridor {
  /** Calls any operation by its name, typed. All other methods are built on it. */
  readonly call: Call;
  readonly payments: ReturnType<typeof makePayments>;
  readonly quotes: ReturnType<typeof makeQuotes>;
  readonly checks: ReturnType<typeof makeChecks>;
  readonly wallets: ReturnType<typeof makeWallets>;
  readonly people: ReturnType<typeof makePeople>;
  readonly companies: ReturnType<typeof makeCompanies>;
  readonly sessions: ReturnType<typeof makeSessions>;
  readonly webhooks: ReturnType<typeof makeSubscriptions>;
  readonly events: Events;
  readonly transactions: ReturnType<typeof makeTransactions>;
  readonly accounts: ReturnType<typeof makeAccounts>;
  readonly agents: ReturnType<typeof makeAgents>;
  readonly schemas: ReturnType<typeof makeSchemas>;
  readonly reference: ReturnType<typeof makeReference>;

  constructor(options: CorridorOptions) {
    requireExactJson();
    const { clock = systemClock } = options;
    const call = makeCall(options);
    this.call = call;
    this.payments = makePayments(call, clock);
    this.quotes = makeQuotes(call);
    this.checks = makeChecks(call);
    this.wallets = makeWallets(call);
    this.people = makePeople(call);
    this.companies = makeCompanies(call);
    this.sessions = makeSessions(call);
    this.webhooks = makeSubscriptions(call);
    this.events = makeEvents(call, clock);
    this.transactions = makeTransactions(call);
    this.accounts = makeAccounts(call);
    this.agents = makeAgents(call);
    this.schemas = makeSchemas(call);
    this.reference = makeReference(call);
  }

  /** Finds what an id belongs to, whatever its kind. */
  search(id: string, options?: CallOptions) {
    return this.call("GET /search", { query: { q: id } }, options);
  }
}

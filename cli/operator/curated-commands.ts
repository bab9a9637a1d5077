import { caseCommands } from "./case-commands.ts";
import type { Command } from "./curated.ts";
import { documentCommands } from "./document-commands.ts";
import { exposureCommands } from "./exposure-commands.ts";
import { keyRingCommands } from "./key-ring-commands.ts";
import { lookupCommands } from "./lookup-commands.ts";
import { rateCommands } from "./rate-commands.ts";
import { reviewCommands } from "./review-commands.ts";
import { userCommands } from "./user-commands.ts";

const list = (text = ""): string[] => text.split(",").filter((word) => word !== "");
const tenant = "/tenants/{tenant}";
const parkedPath = "/bus/{service}/parked-messages";
const replayPath = `${parkedPath}/{stream}/{sequence}/replay`;

/** Every command that has its own words; other routes are reached with `operator call`. */
export const curatedCommands: Readonly<Record<string, Command>> = {
  "tenants list": { words: [], does: "list all tenants", method: "GET", path: "/tenants" },
  "tenants add": {
    words: ["slug"],
    does: "add a tenant without credentials",
    method: "POST",
    path: "/tenants",
    body: ({ slug }) => ({ tenant: slug }),
  },
  ...switches("tenants", tenant, ["tenant"]),
  "allowlist set": {
    words: ["tenant", "networks"],
    does: "networks in CIDR form, separated by commas",
    method: "PATCH",
    path: tenant,
    body: ({ networks }) => ({ allowlist: list(networks) }),
  },
  "certificates set": {
    words: ["tenant", "fingerprints"],
    does: "SHA-256 fingerprints of client certificates, separated by commas",
    method: "PATCH",
    path: tenant,
    body: ({ fingerprints }) => ({ certificates: list(fingerprints) }),
  },
  "clients list": { words: ["tenant"], does: "list OAuth clients", method: "GET", path: `${tenant}/clients` },
  "clients add": {
    words: ["tenant", "clientId", "scopes"],
    does: "make an OAuth client; scopes separated by commas",
    method: "POST",
    path: `${tenant}/clients`,
    body: ({ clientId, scopes }) => ({ clientId, scopes: list(scopes) }),
  },
  ...switches("clients", `${tenant}/clients/{clientId}`, ["tenant", "clientId"]),
  "keys list": { words: ["tenant"], does: "list API keys and secrets", method: "GET", path: `${tenant}/credentials` },
  "keys add": {
    words: ["tenant", "kind", "owner"],
    does: "make a key, agent key or secret beside the present one",
    method: "POST",
    path: `${tenant}/credentials`,
    body: ({ kind, owner }) => ({ kind, owner }),
  },
  "keys bind": {
    words: ["tenant", "credentialId", "scopes", "networks"],
    optional: "expiresAt",
    does: "set scopes and networks, separated by commas, - for all; and the expiry",
    method: "PUT",
    path: `${tenant}/credentials/{credentialId}/bounds`,
    body: ({ scopes, networks, expiresAt }) => ({
      ...(scopes === "-" ? {} : { scopes: list(scopes) }),
      ...(networks === "-" ? {} : { allowlist: list(networks) }),
      expiresAt,
    }),
  },
  "keys revoke": {
    words: ["tenant", "credentialId"],
    does: "end a key or secret",
    method: "DELETE",
    path: `${tenant}/credentials/{credentialId}`,
  },
  "agents list": {
    words: ["tenant"],
    optional: "after",
    does: "list agents, the newest first",
    method: "GET",
    path: `${tenant}/agents`,
  },
  ...moves("agents", "agentId", { approve: "ACTIVE", reject: "REJECTED", suspend: "SUSPENDED", close: "CLOSED" }),
  "signing-keys list": { words: [], does: "list published keys", method: "GET", path: "/signing-keys" },
  "signing-keys rotate": { words: [], does: "publish the next key", method: "POST", path: "/signing-keys" },
  "signing-keys revoke": { words: ["kid"], does: "remove a key", method: "DELETE", path: "/signing-keys/{kid}" },
  ...reversals({ approve: true, refuse: false }),
  ...moves("wallets", "walletId", { freeze: "FROZEN", activate: "ACTIVE", close: "CLOSED" }),
  "reviews list": { words: [], optional: "tenant", does: "list open reviews", method: "GET", path: "/reviews" },
  "reviews of": {
    words: ["subjectId"],
    optional: "status",
    does: "list the reviews of a person, company or payment",
    method: "GET",
    path: "/reviews",
  },
  "reviews show": {
    words: ["reviewId"],
    does: "show a review with its facts",
    method: "GET",
    path: "/reviews/{reviewId}",
  },
  ...reviewCommands,
  "exceptions list": { words: [], optional: "tenant", does: "list cleared hits", method: "GET", path: "/exceptions" },
  "exceptions revoke": {
    words: ["tenant", "exceptionId"],
    does: "revoke an exception",
    method: "DELETE",
    path: `${tenant}/exceptions/{exceptionId}`,
  },
  ...userCommands,
  ...lookupCommands,
  "payments list": {
    words: [],
    optional: "tenant",
    does: "list the newest payments",
    method: "GET",
    path: "/payments",
  },
  "payments overdue": {
    words: [],
    does: "list payments whose work is overdue",
    method: "GET",
    path: "/payments?overdue=true",
  },
  "payments stuck": {
    words: [],
    does: "list payments that need an operator",
    method: "GET",
    path: "/payments?stuck=true",
  },
  "payments show": {
    words: ["tenant", "paymentId"],
    does: "show a payment with its operations",
    method: "GET",
    path: `${tenant}/payments/{paymentId}`,
  },
  "payments timeline": {
    words: ["tenant", "paymentId"],
    does: "list all events of a payment",
    method: "GET",
    path: `${tenant}/payments/{paymentId}/timeline`,
  },
  "holds list": {
    words: [],
    optional: "after",
    does: "list payments that wait for an operator",
    method: "GET",
    path: "/holds",
  },
  "holds reject": {
    words: ["tenant", "paymentId"],
    does: "stop a payout that its rail holds",
    method: "POST",
    path: `${tenant}/payments/{paymentId}/hold/rejection`,
  },
  ...caseCommands,
  ...documentCommands,
  "messages parked": {
    words: ["service"],
    does: "list messages that could not be handled",
    method: "GET",
    path: parkedPath,
  },
  "messages replay": {
    words: ["service", "stream", "sequence"],
    does: "handle a parked message again",
    method: "POST",
    path: replayPath,
  },
  "participants find": {
    words: ["tenant", "identificationType", "identification"],
    does: "show the owner of a document",
    method: "POST",
    path: `${tenant}/participants/search`,
    body: ({ identificationType, identification }) => ({ identificationType, identification }),
  },
  "participants erase": {
    words: ["tenant", "participantId"],
    does: "destroy the key of a person's data",
    method: "DELETE",
    path: `${tenant}/participants/{participantId}`,
  },
  "ledger reconcile": {
    words: [],
    does: "read the providers' statements and compare",
    method: "POST",
    path: "/ledger/reconciliations",
  },
  "ledger trial-balance": {
    words: [],
    does: "show the sums of all accounts",
    method: "GET",
    path: "/ledger/trial-balance",
  },
  "ledger verify": { words: [], does: "verify the whole ledger", method: "POST", path: "/ledger/verifications" },
  "ledger verification": {
    words: ["verificationId"],
    does: "show the result of a verification",
    method: "GET",
    path: "/ledger/verifications/{verificationId}",
  },
  "ledger entries": {
    words: ["paymentId"],
    does: "list the postings of a payment",
    method: "GET",
    path: "/ledger/entries",
  },
  "ledger account": {
    words: ["account"],
    optional: "currency",
    does: "list the postings on an account, first page",
    method: "GET",
    path: "/ledger/entries",
  },
  "ledger entry": { words: ["entryId"], does: "show an entry", method: "GET", path: "/ledger/entries/{entryId}" },
  "ledger correct": {
    words: ["entryId", "kind", "reason", "links", "postings"],
    does: "post a correction; links separated by commas, postings as account=currency=minor separated by commas",
    method: "POST",
    path: "/ledger/corrections",
    body: ({ entryId, kind, reason, links, postings }) => ({
      entryId,
      kind,
      reason,
      links: list(links),
      postings: list(postings).map((text) => {
        const [account, currency, minor] = text.split("=");
        return { account, currency, minor };
      }),
    }),
  },
  "ledger promises": {
    words: ["account", "currency"],
    does: "show the balance and promises of an account",
    method: "GET",
    path: "/ledger/promises",
  },
  "floors set": {
    words: ["account", "currency", "floorMinor"],
    does: "set the floor of promises on a tenant's funding, minor units",
    method: "PUT",
    path: "/ledger/floors",
    body: (floor) => floor,
  },
  "floors clear": {
    words: ["account", "currency"],
    does: "remove the account's own floor",
    method: "PUT",
    path: "/ledger/floors",
    body: (floor) => floor,
  },
  "breaks list": {
    words: [],
    optional: "after",
    does: "list unresolved breaks",
    method: "GET",
    path: "/ledger/breaks",
  },
  "breaks resolve": {
    words: ["breakId", "note"],
    does: "release a promise that nothing else will end",
    method: "POST",
    path: "/ledger/break-resolutions",
    body: ({ breakId, note }) => ({ breakId, note }),
  },
  ...rateCommands,
  ...exposureCommands,
  ...keyRingCommands,
  "ledger proof": { words: ["day"], does: "show the proof of a day", method: "GET", path: "/ledger/proofs/{day}" },
  "approvals list": {
    words: [],
    optional: "state",
    does: "list commands that wait for approval",
    method: "GET",
    path: "/approvals",
  },
  "approvals show": {
    words: ["approvalId"],
    does: "show a command that waits for approval",
    method: "GET",
    path: "/approvals/{approvalId}",
  },
  ...opinions({ agree: true, refuse: false }),
  "audit verify": { words: [], does: "verify the chain of the audit log", method: "GET", path: "/audit/verify" },
};

function switches(name: string, path: string, words: readonly string[]): Record<string, Command> {
  const one = (isDisabled: boolean): Command => ({
    words,
    does: isDisabled ? "stop it" : "let it work again",
    method: "PATCH",
    path,
    body: () => ({ isDisabled }),
  });
  return { [`${name} disable`]: one(true), [`${name} enable`]: one(false) };
}

/** One command for each state that an object can be moved to. */
function moves(noun: string, word: string, statuses: Readonly<Record<string, string>>): Record<string, Command> {
  const entries = Object.entries(statuses).map(([verb, status]): [string, Command] => [
    `${noun} ${verb}`,
    {
      words: ["tenant", word],
      does: `set the status to ${status}`,
      method: "PUT",
      path: `${tenant}/${noun}/{${word}}/status`,
      body: () => ({ status }),
    },
  ]);
  return Object.fromEntries(entries);
}

function reversals(verbs: Readonly<Record<string, boolean>>): Record<string, Command> {
  const entries = Object.entries(verbs).map(([verb, approve]): [string, Command] => [
    `reversals ${verb}`,
    {
      words: ["tenant", "paymentId"],
      does: `${verb} a waiting reversal`,
      method: "POST",
      path: `${tenant}/payments/{paymentId}/reversal`,
      body: () => ({ approve }),
    },
  ]);
  return Object.fromEntries(entries);
}

function opinions(verbs: Readonly<Record<string, boolean>>): Record<string, Command> {
  const entries = Object.entries(verbs).map(([verb, approve]): [string, Command] => [
    `approvals ${verb}`,
    {
      words: ["approvalId"],
      does: approve ? "let its asker send the command again" : "refuse the command",
      method: "POST",
      path: "/approvals/{approvalId}",
      body: () => ({ approve }),
    },
  ]);
  return Object.fromEntries(entries);
}

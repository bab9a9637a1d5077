// Made from the gateway's route tables by `npm run sdk`. Do not edit.

import type { Decimal } from "../money.ts";

/** What an account holds, has promised and may still promise. */
export type AccountPromises = {
  /** What the account holds. */
  readonly settledMinor: string;
  /** What is promised to payments. */
  readonly promisedMinor: string;
  /** What was released so far. */
  readonly releasedMinor: string;
  /** The floor that counts; null where there is none. */
  readonly floorMinor: string | null;
  /** What can still be promised; null where there is no floor. */
  readonly availableMinor: string | null;
};

/** A partner of a tenant. */
export type Agent = {
  /** Id. */
  readonly id: string;
  /** Slug of its tenant. */
  readonly tenant: string;
  /** How to reach it. */
  readonly email: string;
  /** Its name. */
  readonly businessName: string;
  /** The tenant's own name for it. */
  readonly externalId: string | null;
  /** Its state. */
  readonly status: string;
  /** When it was added. */
  readonly createdAt: string | null;
};

/** Where an agent goes. */
export type AgentStatusRequest = {
  /** Where it goes. */
  readonly status: "ACTIVE" | "REJECTED" | "SUSPENDED" | "CLOSED";
};

export type AgentUpdatedEvents = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: string;
  /** Id of the event's agent. */
  readonly id: string;
  /** Always null: only the creation of an agent is announced. */
  readonly before: null;
  readonly after: {
    /** Id of the agent. */
    readonly id: string;
    /** How to reach it. */
    readonly email: string;
    /** Its name. */
    readonly businessName: string;
    /** The tenant's own name for it; null when it has none. */
    readonly externalId: string | null;
    /** Status of the agent. */
    readonly status: string;
    /** When it was made. */
    readonly createdAt: string;
  };
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Version of the body's form. */
  readonly version: 1;
};

/** A page of the agents of a tenant. */
export type Agents = {
  /** The newest first. */
  readonly agents: readonly Agent[];
  /** `after` of the next page; null on the last. A page with few agents, or none, may have it. */
  readonly next: string | null;
};

/** The process is alive. */
export type Alive = {
  /** Always the same word. */
  readonly status: "ok";
};

/** An exact amount. */
export type Amount = {
  /** Exact amount. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** A command that waits, or waited, for a second person. */
export type Approval = {
  /** Id; header `x-approval` of the command. */
  readonly approvalId: string;
  /** Method and path of the command's route. */
  readonly action: string;
  /** Names and values of the path's parameters. */
  readonly object: string;
  /** The operator who asked. */
  readonly asker: string;
  /** When. */
  readonly askedAt: string | null;
  /** From when on it is too old. */
  readonly expiresAt: string | null;
  /** WAITING for another operator, APPROVED, REFUSED, or SPENT: carried out, once. */
  readonly state: "WAITING" | "APPROVED" | "REFUSED" | "SPENT";
  /** The operator who agreed or refused. */
  readonly decidedBy: string | null;
  /** When. */
  readonly decidedAt: string | null;
  /** When it was carried out. */
  readonly spentAt: string | null;
};

/** What is decided about a command. */
export type ApprovalDecision = {
  /** False refuses; one's own may be taken back so. */
  readonly approve: boolean;
};

/** A page of approvals. */
export type ApprovalPage = {
  /** The oldest first. */
  readonly approvals: readonly Approval[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** A command that waits, or waited, for a second person, with what it says. */
export type ApprovalShown = {
  /** Id; header `x-approval` of the command. */
  readonly approvalId: string;
  /** Method and path of the command's route. */
  readonly action: string;
  /** Names and values of the path's parameters. */
  readonly object: string;
  /** The operator who asked. */
  readonly asker: string;
  /** When. */
  readonly askedAt: string | null;
  /** From when on it is too old. */
  readonly expiresAt: string | null;
  /** WAITING for another operator, APPROVED, REFUSED, or SPENT: carried out, once. */
  readonly state: "WAITING" | "APPROVED" | "REFUSED" | "SPENT";
  /** The operator who agreed or refused. */
  readonly decidedBy: string | null;
  /** When. */
  readonly decidedAt: string | null;
  /** When it was carried out. */
  readonly spentAt: string | null;
  /** The command's body as it was sent. */
  readonly body: string | null;
};

/** Ask the provider again what became of the payment. */
export type AskProvider = {
  /** The operator's own id of the decision, a UUID; the same again changes nothing. */
  readonly commandId: string;
  /** Why. */
  readonly note: string;
  /** What is done. */
  readonly command: "askProvider";
  /** What proves it. */
  readonly evidence?: string;
  /** Payment; needed where the case is not about one payment. */
  readonly paymentId?: string;
};

/** The approval that a command waits for. */
export type AskedApproval = {
  /** Id of the approval. The command is carried out when it is sent again with it in `x-approval`. */
  readonly approval: string;
  /** Until when another operator can agree. */
  readonly expiresAt: string | null;
};

/** Name who works on the case. */
export type AssignCase = {
  /** The operator's own id of the decision, a UUID; the same again changes nothing. */
  readonly commandId: string;
  /** Why. */
  readonly note: string;
  /** What is done. */
  readonly command: "assign";
  /** The operator who works on it; empty for none. */
  readonly owner: string;
  /** What proves it. */
  readonly evidence?: string;
};

/** A page of the audit log. */
export type AuditPage = {
  /** In order. */
  readonly records: readonly AuditRecord[];
  /** `after` of the next page; null on the last. */
  readonly next: number | null;
};

/** Records of privileged calls, in a chain that shows any change. */
export type AuditRecord = {
  /** 1, 2, 3 and so on. */
  readonly sequence: number;
  /** When it happened. */
  readonly at: string | null;
  /** Hash over this record and the one before. */
  readonly hash: string;
  /** operator:<name>, user:<id>, client:<id>, tenant:<slug> or agent:<id>. */
  readonly actor?: string;
  /** Tenant of the actor or the object. */
  readonly tenant?: string;
  /** Route. */
  readonly action?: string;
  /** Parameters of the path. */
  readonly object?: string;
  /** begun, asked (it waits for a second person), done, or the reason of the refusal. */
  readonly outcome?: string;
  /** Id of the request. */
  readonly requestId?: string;
  /** Network address of the caller. */
  readonly address?: string;
  /** Calls that it stands for: repeats of one refusal within a minute are recorded together. */
  readonly count?: number;
  /** Id of the session of a person; empty for all others. */
  readonly session?: string;
};

/** Whether the chain is whole. */
export type AuditVerdict = {
  /** True when every record is what was written, and every anchor fits. */
  readonly isWhole: boolean;
  /** First record that is not. */
  readonly brokenAt: number | null;
  /** How many records the chain has. */
  readonly count: number;
  /** Hash of the last one. */
  readonly head: string;
  /** Anchors outside of the store that it was compared with. */
  readonly anchors: number;
  /** What is wrong with anchors, or with the chain by them. */
  readonly anchorFaults: readonly string[];
};

/** Begin to give money back, or let a payout go. */
export type BeginStep = {
  /** The operator's own id of the decision, a UUID; the same again changes nothing. */
  readonly commandId: string;
  /** Why. */
  readonly note: string;
  /** What is done. */
  readonly command: "beginStep";
  /** What to begin. */
  readonly step: "VOID" | "REFUND" | "CANCEL" | "RELEASE";
  /** What proves it. */
  readonly evidence?: string;
  readonly amount?: CommandAmount;
  /** Payment; needed where the case is not about one payment. */
  readonly paymentId?: string;
};

/** What the person is shown, and what to ask with. */
export type BegunDeviceLogin = {
  /** Secret of this login. Who began it keeps it, and asks with it. */
  readonly login: string;
  /** What the person types at the identity provider, and compares with what is shown there. */
  readonly userCode: string;
  /** Where the person types it, in a browser of any machine. */
  readonly verificationUri: string;
  /** The same address with the code in it, where there is one. */
  readonly verificationUriComplete: string | null;
  /** From when on it is too late. */
  readonly expiresAt: string;
  /** How long to wait before each question, in seconds. */
  readonly intervalSeconds: number;
};

/** What is needed to go on. */
export type BegunLogin = {
  /** Secret of this login. Who began it keeps it, and shows it once. */
  readonly login: string;
  /** Where the browser goes: the identity provider, with state, nonce and PKCE. */
  readonly authorizationUrl: string;
  /** From when on it is too late. */
  readonly expiresAt: string;
};

/** What an authority has allowed about a payment that is blocked. */
export type BlockedRelease = {
  /** True lets the payment go on, false refuses it. */
  readonly approve: boolean;
  /** The authority's own reference of its permission. */
  readonly authorityReference: string;
  /** Why; kept with the review. */
  readonly note: string;
  /** With `approve` false: where the authority's order sends the money, `provider/<name>/clearing` or `tenant/<slug>/external`. */
  readonly payTo?: string;
};

/** A conversion as the ledger has it, next to what was promised. Of an entry that no payment reported, only the entry is known. */
export type BookedConversion = {
  /** Id of the entry; `GET /ledger/entries/{entryId}` has all of it. */
  readonly entryId: string;
  /** When it was posted. */
  readonly postedAt: string;
  /** AGREES: the ledger has what was promised, to the minor unit. DIFFERS: it has something else. UNPROMISED: no payment reported the entry; an operator posted it. */
  readonly outcome: "AGREES" | "DIFFERS" | "UNPROMISED";
  /** Slug of the tenant; empty for the platform's own. */
  readonly tenant: string;
  /** The payment that the money moved for. */
  readonly paymentId: string | null;
  /** RETURN: the recipient's bank gave the money back, and all amounts are negative. */
  readonly kind: "PAYOUT" | "RETURN" | null;
  /** What the platform takes in, ISO 4217. */
  readonly sourceCurrency: string | null;
  /** What it pays out, ISO 4217. */
  readonly destinationCurrency: string | null;
  /** What it should take in, with its margin, in the source currency. */
  readonly promisedReceivedMinor: string | null;
  /** What the ledger has of it. */
  readonly postedReceivedMinor: string | null;
  /** What it should pay out, in the destination currency. */
  readonly promisedPaidMinor: string | null;
  /** What the ledger has of it. */
  readonly postedPaidMinor: string | null;
  /** What it should keep, in the source currency. */
  readonly promisedMarginMinor: string | null;
  /** What the ledger has of it. */
  readonly postedMarginMinor: string | null;
  /** The quote that promised it; null when it is no longer kept, and the payment's own figures are the promise. */
  readonly quoteId: string | null;
  /** The customer's rate of the quote, decimal text. */
  readonly rate: string | null;
  /** The market's rate at the quote, decimal text. */
  readonly midRate: string | null;
  /** Day of the market's rate. */
  readonly rateDate: string | null;
  /** Names of its sources, or of the installed package. */
  readonly rateSource: string | null;
  /** Id of the reading round of its sources. */
  readonly rateSnapshot: string | null;
};

/** A page of conversions. */
export type BookedConversionPage = {
  /** The oldest first. */
  readonly conversions: readonly BookedConversion[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** Breaks of a class. */
export type BreakCount = {
  /** Class of breaks. */
  readonly class: string;
  /** All of them. */
  readonly count: number;
};

/** The end of a break. */
export type BreakResolution = {
  /** Id of the break. */
  readonly breakId: string;
  /** Why. */
  readonly note: string;
};

/** What one side has; null for nothing. */
export type BreakSide = {
  /** Currency of ISO 4217 or another asset code. */
  readonly currency: string;
  /** Minor units. */
  readonly minor: string;
} | null;

/** A span of messages that is missing. */
export type BusGap = {
  /** Stream that lacks them. */
  readonly stream: string;
  /** Name of the consumer that missed them. */
  readonly durable: string;
  /** They were published after this time. */
  readonly since: string | null;
};

/** Messages that were gone before they were handled. */
export type BusGaps = {
  /** At most 200. */
  readonly gaps: readonly BusGap[];
};

/** What a person must put right, with its whole story. */
export type Case = {
  /** Id. */
  readonly caseId: string;
  /** OPEN: an operator must act. */
  readonly state: "OPEN" | "CLOSED" | "UNKNOWN";
  /** What went wrong; the runbook says what to do. */
  readonly kinds: readonly ("UNEXPECTED_FACT" | "AMOUNT_DIFFERS" | "CONTRADICTION" | "UNKNOWN_REFERENCE" | "STEP_UNKNOWN" | "REVERSAL_REFUSED" | "RECONCILIATION_BREAK" | "PARKED_MESSAGE" | "AUTHORIZATION_EXPIRED" | "UNKNOWN")[];
  /** Slug of the tenant; null when none is concerned or known. */
  readonly tenant: string | null;
  /** Name of the provider; null when none is concerned. */
  readonly provider: string | null;
  /** The payments that it is about. */
  readonly paymentIds: readonly string[];
  /** The amounts that it is about. */
  readonly amounts: readonly Amount[];
  /** Differences to providers' statements, the oldest first. */
  readonly differences: readonly StatementDifference[];
  /** The operator who works on it. */
  readonly owner: string | null;
  /** When it was opened. */
  readonly openedAt: string | null;
  /** When it changed last. */
  readonly updatedAt: string | null;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
  /** Its whole story. */
  readonly notes: readonly CaseNote[];
};

/** What is done about a case. */
export type CaseCommand = CloseCase | SettleStep | AskProvider | BeginStep | PostCorrection | RepointFact | AssignCase;

/** What was noticed or done. */
export type CaseNote = {
  /** When it was written. */
  readonly at: string | null;
  /** Name of the operator, or `platform`. */
  readonly author: string;
  /** Name of the second operator. */
  readonly approver: string | null;
  /** What was noticed or done. */
  readonly text: string;
  /** The command that was carried out; null for what the platform noticed. */
  readonly command: string | null;
  /** What a provider wrote, or what the operator gave as proof. */
  readonly evidence: string | null;
  /** SHA-256 of the evidence as it came, 64 hex digits. */
  readonly evidenceHash: string | null;
};

/** A page of cases. */
export type CasePage = {
  /** The oldest first. */
  readonly cases: readonly CaseSummary[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** What a person must put right. */
export type CaseSummary = {
  /** Id. */
  readonly caseId: string;
  /** OPEN: an operator must act. */
  readonly state: "OPEN" | "CLOSED" | "UNKNOWN";
  /** What went wrong; the runbook says what to do. */
  readonly kinds: readonly ("UNEXPECTED_FACT" | "AMOUNT_DIFFERS" | "CONTRADICTION" | "UNKNOWN_REFERENCE" | "STEP_UNKNOWN" | "REVERSAL_REFUSED" | "RECONCILIATION_BREAK" | "PARKED_MESSAGE" | "AUTHORIZATION_EXPIRED" | "UNKNOWN")[];
  /** Slug of the tenant; null when none is concerned or known. */
  readonly tenant: string | null;
  /** Name of the provider; null when none is concerned. */
  readonly provider: string | null;
  /** The payments that it is about. */
  readonly paymentIds: readonly string[];
  /** The amounts that it is about. */
  readonly amounts: readonly Amount[];
  /** Differences to providers' statements, the oldest first. */
  readonly differences: readonly StatementDifference[];
  /** The operator who works on it. */
  readonly owner: string | null;
  /** When it was opened. */
  readonly openedAt: string | null;
  /** When it changed last. */
  readonly updatedAt: string | null;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
};

/** End the case, and with it a payment that waits for a person alone. */
export type CloseCase = {
  /** The operator's own id of the decision, a UUID; the same again changes nothing. */
  readonly commandId: string;
  /** Why. */
  readonly note: string;
  /** What is done. */
  readonly command: "close";
  /** What proves it. */
  readonly evidence?: string;
};

/** An amount. */
export type CommandAmount = {
  /** Exact amount as decimal text, with no more decimals than the currency has; below 0 for what leaves. */
  readonly total: string;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** What enters or leaves an account. */
export type CommandPosting = {
  /** For example tenant/demo/funding, provider/pix/clearing or platform/write-offs. */
  readonly account: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Exact amount as decimal text, with no more decimals than the currency has; below 0 for what leaves. */
  readonly total: string;
};

/** A key or secret, without what is secret. */
export type Credential = {
  /** Public part of the credential. */
  readonly id: string;
  /** What it is for. */
  readonly kind: "key" | "agent" | "secret";
  /** Slug of the tenant, id of the agent or id of the client. */
  readonly owner: string;
  /** Begin of the credential, by which its holder finds it. */
  readonly prefix: string;
  /** When it was made. */
  readonly createdAt: string | null;
  /** When it was last seen; null while it never was. */
  readonly lastUsedAt: string | null;
  /** What it allows: scopes of tokens for a secret, of keys for a key. */
  readonly scopes: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks")[] | null;
  /** From when on it does not work; null: it works until it is ended. */
  readonly expiresAt: string | null;
  /** Where it may be used from. */
  readonly allowlist: readonly string[];
};

/** What a key or secret is bound to. */
export type CredentialBounds = {
  /** What it allows: scopes of tokens for a secret, of keys for a key. */
  readonly scopes?: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks")[];
  /** From when on it does not work, in the future. */
  readonly expiresAt?: string;
  /** Where it may be used from. */
  readonly allowlist?: readonly string[];
};

/** A credential that is made. */
export type CredentialRequest = {
  /** What it is for. */
  readonly kind: "key" | "agent" | "secret";
  /** Slug of the tenant, id of the agent or id of the client. */
  readonly owner: string;
  /** What it allows: scopes of tokens for a secret, of keys for a key. */
  readonly scopes?: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks")[];
  /** From when on it does not work, in the future. */
  readonly expiresAt?: string;
  /** Where it may be used from. */
  readonly allowlist?: readonly string[];
};

/** The live credentials of a tenant. */
export type Credentials = {
  /** The credentials, oldest first. */
  readonly credentials: readonly Credential[];
};

/** What the ledger gained from conversions in a currency. */
export type CurrencyMargin = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** What was earned: what platform/margin gained, minor units. */
  readonly marginMinor: string;
  /** What conversions added to the position: what platform/fx gained, minor units. */
  readonly positionMinor: string;
};

/** The rate of a currency against the US dollar. */
export type CurrencyRate = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Units for one US dollar that were accepted last, decimal text. */
  readonly perUsd: string | null;
  /** Of when they are. */
  readonly asOf: string | null;
  /** Units for one US dollar by the reference rates, decimal text. */
  readonly referencePerUsd: string | null;
  /** Why the currency is not quoted; null while it is. */
  readonly hold: {
    /** Id. */
    readonly holdId: string;
    /** Why the currency is not quoted. */
    readonly reason: "DISAGREEMENT" | "REFERENCE" | "JUMP";
    /** Since when. */
    readonly since: string | null;
    /** Units for one US dollar in the middle of what the sources say, decimal text. */
    readonly perUsd: string;
    /** What each source says. */
    readonly readings: readonly HeldRateReading[];
  } | null;
};

/** The proof that customers' money equalled the money held. */
export type DailyProof = {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** When the proof was made. */
  readonly madeAt: string | null;
  /** The sums by currency. */
  readonly lines: readonly ProofLine[];
  /** Each account. */
  readonly accounts: readonly ProofAccount[];
  /** Breaks that were unresolved then. */
  readonly unresolvedBreaks: number;
};

/** How far a login is. `session` is there when it is `DONE`. */
export type DeviceLogin = {
  /** `SLOW_DOWN`: it was asked too early, and the interval is longer from now on. `DENIED`, `EXPIRED` and `DONE` end it. */
  readonly state: "PENDING" | "SLOW_DOWN" | "DENIED" | "EXPIRED" | "DONE";
  /** How long to wait before each question, in seconds. */
  readonly intervalSeconds: number;
  readonly session?: NewUserSession;
};

/** A question about a login. */
export type DeviceLoginQuestion = {
  /** Secret of the login. */
  readonly login: string;
};

/** What is decided of a document. */
export type DocumentDecision = {
  /** True: VERIFIED; false: REJECTED. */
  readonly accept: boolean;
  /** Why. */
  readonly note: string;
};

export type DocumentUpdatedEvents = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: string;
  /** Id of the document or session. */
  readonly id: string;
  /** Id of the person or company. */
  readonly entityId: string;
  /** What it is: Participant or Person, which mean the same. */
  readonly entityType: string;
  /** Kind of document. */
  readonly documentType: string;
  /** PENDING, VERIFIED, REJECTED, SUPERSEDED, FAILED, ERRORED or EXPIRED, in any case; others may come. */
  readonly verificationStatus: string;
  /** When it happened, in whole seconds. */
  readonly occurredAt: string;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Version of the body's form. */
  readonly version: 1;
};

export type Error = {
  readonly code: ErrorCode;
  /** What is wrong, naming the field and the rule. */
  readonly message: string;
  /** The request's x-request-id. */
  readonly requestId: string;
  readonly errors?: readonly {
    /** Dotted path from the root of the request. */
    readonly field: string;
    /** The rule that the field breaks. */
    readonly message: string;
  }[];
  readonly details?: ErrorDetails;
};

/** Stable code of the refusal. */
export type ErrorCode = "VE_001" | "PAY_001" | "PAY_005" | "PAY_271" | "PAY_404" | "PAY_410" | "PAY_411" | "PAY_412" | "FX_404" | "PAY_409" | "PAY_413" | "IDM_001" | "IDM_002" | "AUTH_001" | "AUTH_002" | "AUTH_004" | "AUTH_005" | "AUTH_006" | "AUTH_007" | "AUTH_003" | "RL_001" | "AGT_404" | "AGT_409" | "OPS_404" | "OPS_409" | "WH_404" | "BNK_404" | "WAL_404" | "WAL_001" | "WAL_002" | "WAL_003" | "WAL_004" | "WAL_005" | "WAL_006" | "TX_404" | "TX_001" | "PER_404" | "KYC_404" | "DOC_404" | "PER_412" | "REQ_404" | "REQ_405" | "REQ_413" | "REQ_415" | "SYS_503" | "SYS_500";

/** Facts that the caller may act on. Which ones there are depends on the code. */
export type ErrorDetails = {
  /** What the object is instead. */
  readonly status?: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR" | "OPEN" | "CLOSED" | "FROZEN" | "HELD" | "COMPLETED" | "EXPIRED" | "CANCELLED" | "PENDING_APPROVAL" | "ACTIVE" | "REJECTED" | "SUSPENDED";
  readonly allowed?: readonly ("capture" | "void" | "refund" | "cancel" | "ACTIVE" | "REJECTED" | "SUSPENDED" | "CLOSED" | "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE")[];
  readonly fields?: readonly string[];
  /** Whose funds are too low. */
  readonly account?: "tenant" | "provider";
  /** What there is. Exact, in `currency`. */
  readonly available?: Decimal;
  /** What is needed. Exact, in `currency`. */
  readonly required?: Decimal;
  /** ISO 4217 code, or the code of another asset of a wallet. */
  readonly currency?: string;
  /** The calendar unit, in UTC, of the limit. */
  readonly window?: "DAY" | "MONTH";
  /** What may be sent in the window: exact, in `currency`. Of PAY_409: the most refunds of a payment. */
  readonly limit?: Decimal;
  /** What of it was sent. Exact, in `currency`. */
  readonly used?: Decimal;
  /** What of it is left. Exact, in `currency`. */
  readonly left?: Decimal;
  /** The scope that is missing. */
  readonly scope?: "payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks";
  readonly roles?: readonly ("support" | "compliance" | "treasury" | "platform" | "viewer" | "developer" | "finance" | "admin")[];
  /** Longest age of the login, in seconds. */
  readonly maxAgeSeconds?: number;
  /** When to try again, in seconds. */
  readonly retryAfterSeconds?: number;
  /** Most requests in a second. */
  readonly limitPerSecond?: Decimal;
  /** Most requests in an hour. */
  readonly limitPerHour?: number;
  /** Most requests at once. */
  readonly limitInFlight?: number;
};

/** A page of what happened, in one order. */
export type EventFeed = {
  /** The events, oldest first. */
  readonly events: readonly FeedEvent[];
  /** `after` of the next page, also when this one is the last for now. */
  readonly next: string;
};

/** The platform's position in a currency; positive where it has too much of it. */
export type Exposure = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** What executed conversions have left in the ledger, on platform/fx. */
  readonly settledMinor: string;
  /** What accepted conversions that have not been paid out yet will add. */
  readonly openMinor: string;
  /** Both together. */
  readonly netMinor: string;
  /** Currency of the value, ISO 4217. */
  readonly reportingCurrency: string;
  /** What the net position is worth, minor units of the reporting currency; null without a rate. */
  readonly valueMinor: string | null;
  /** Units for one US dollar by which it was valued, decimal text. */
  readonly perUsd: string | null;
  /** Day of that rate. */
  readonly rateDate: string | null;
  /** Where that rate comes from: `reference`, or the names of the sources or the installed package. */
  readonly rateSource: string | null;
  /** How far from zero the net position may be for quotes that take it further; null without a limit. */
  readonly limitMinor: string | null;
  /** The operator who set it. */
  readonly limitAuthor: string | null;
  /** Why. */
  readonly limitNote: string | null;
  /** When. */
  readonly limitSetAt: string | null;
};

/** How far from zero a position may be. */
export type ExposureLimitRequest = {
  /** Why; kept with the limit. */
  readonly note: string;
  /** Minor units of the currency; absent: no limit. */
  readonly limitMinor?: string;
};

/** Nothing more than that it is set. */
export type ExposureLimitSet = { readonly [name: string]: unknown };

/** The platform's positions. */
export type ExposureList = {
  /** By currency. */
  readonly exposures: readonly Exposure[];
};

/** Something that happened. */
export type FeedEvent = {
  /** Place of the event in the feed: `after` of what follows it. */
  readonly cursor: string;
  /** Id of the event, `x-service-event-id` of its deliveries. */
  readonly id: string;
  /** Position among the events of its transaction, document or agent, from 1. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurredAt: string;
  /** The event as deliveries carry it; `event` is spelled as here. */
  readonly payload: TransactionStatusChanged | TransactionComplianceStatusChangedEvent | TransactionPayoutStatusChanged | DocumentUpdatedEvents | AgentUpdatedEvents | WebhookTest;
};

/** That the authority was notified. */
export type FiledReport = {
  /** The reference under which it was filed. */
  readonly reference: string;
};

/** How far promises may take a tenant's funding. */
export type FloorRequest = {
  /** tenant/<slug>/funding. */
  readonly account: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units, negative for a credit line; absent: none of its own. */
  readonly floorMinor?: string;
};

/** Nothing more than that it is set. */
export type FloorSet = { readonly [name: string]: unknown };

/** A person or company. */
export type FoundParticipant = {
  /** Id. */
  readonly participantId: string;
  /** What it is. */
  readonly kind: "PERSON" | "COMPANY";
  /** Whether it may take part. */
  readonly status: "APPROVED" | "IN_REVIEW" | "REJECTED";
  /** When it was made. */
  readonly createdAt: string | null;
};

/** A page of participants, without personal data. */
export type FoundParticipants = {
  /** At most 200. */
  readonly participants: readonly FoundParticipant[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** What closes the position in a currency. */
export type Hedge = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** The position. */
  readonly netMinor: string;
  /** What to do with the currency for the position to be zero. */
  readonly action: "BUY" | "SELL" | "NONE";
  /** How much of it, minor units. */
  readonly toFlatMinor: string;
  /** How much of it brings the position back within its limit; 0 when it is, or has no limit. */
  readonly toLimitMinor: string;
  /** Currency of the value, ISO 4217. */
  readonly reportingCurrency: string;
  /** What the net position is worth, minor units of the reporting currency; null without a rate. */
  readonly valueMinor: string | null;
  /** Units for one US dollar by which it was valued, decimal text. */
  readonly perUsd: string | null;
  /** Day of that rate. */
  readonly rateDate: string | null;
  /** Where that rate comes from: `reference`, or the names of the sources or the installed package. */
  readonly rateSource: string | null;
};

/** What closes the platform's positions. */
export type HedgeList = {
  /** By currency. */
  readonly hedges: readonly Hedge[];
};

/** A payment that waits for a person. */
export type HeldPayment = {
  /** Id. */
  readonly paymentId: string;
  /** Slug of its tenant. */
  readonly tenant: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** What it does. */
  readonly type: "PUSH" | "PULL" | "PULLPUSH";
  /** Where its transaction stands. */
  readonly transactionState: string;
  readonly amount: Amount;
  /** REVIEW: see its review. REVERSAL: approve or refuse it. RAIL: its rail holds it. PROVIDER: a provider is silent. */
  readonly kind: string;
  /** When it was made. */
  readonly createdAt: string | null;
  /** Since when a person must look; null while the wait is not long yet. */
  readonly escalatedAt: string | null;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** A page of payments that wait for a person. */
export type HeldPaymentPage = {
  /** The oldest first. */
  readonly holds: readonly HeldPayment[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** What a source says of a currency. */
export type HeldRateReading = {
  /** Name of the source. */
  readonly source: string;
  /** Units for one US dollar that it reports, decimal text. */
  readonly perUsd: string;
  /** Of when that is. */
  readonly asOf: string | null;
};

/** An entry of the journal. */
export type JournalEntry = {
  /** Id of the entry. */
  readonly entryId: string;
  /** What it does. */
  readonly kind: string;
  /** What moved it; null when it was not said. */
  readonly label: string | null;
  /** Slug of the tenant; empty for the platform's own. */
  readonly tenant: string;
  /** When it was posted. */
  readonly at: string | null;
  /** The payment that the money moved for. */
  readonly paymentId: string | null;
  /** The entry that it ends or reverses. */
  readonly parent: string | null;
  /** Why an operator posted it. */
  readonly reason: string | null;
  /** What it is about. */
  readonly links: readonly string[];
  /** What it moves. */
  readonly moves: readonly JournalMove[];
};

/** One entry. */
export type JournalEntryFound = {
  readonly entry?: JournalEntry;
};

/** A page of the journal. */
export type JournalEntryPage = {
  /** The oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** What an entry moves on an account. */
export type JournalMove = {
  /** Path in the chart of accounts; the wallet's id follows for a wallet. */
  readonly account: string;
  /** Currency of ISO 4217 or another asset code. */
  readonly currency: string;
  /** settled, debitHolds, creditHolds or status. */
  readonly line: string;
  /** Signed minor units. */
  readonly minor: string;
};

/** A replica with its keys. */
export type KeyHolder = {
  /** Name of the process. */
  readonly holder: string;
  /** Its rings. */
  readonly rings: readonly KeyRing[];
  /** When it last reported. */
  readonly seenAt: string | null;
};

/** How far a renewal is. */
export type KeyRenewal = {
  /** Chosen by who asked for it. */
  readonly renewalId: string;
  /** When it was asked for. */
  readonly askedAt: string | null;
  /** When it was done. */
  readonly doneAt: string | null;
  /** True when it is done, and nothing is under an older key any more: these may go. */
  readonly isClear: boolean;
  /** The rings when it was asked for. */
  readonly rings: readonly KeyRing[];
  /** What it came upon. */
  readonly uses: readonly KeyUse[];
};

/** A renewal of everything that is under the keys of a service. */
export type KeyRenewalRequest = {
  /** Chosen by the caller; the same id again returns how far it is. */
  readonly renewalId: string;
};

/** The keys of one setting. */
export type KeyRing = {
  /** Name of the setting that names the file of the ring. */
  readonly name: string;
  /** Ids of the keys, the newest first. */
  readonly keyIds: readonly string[];
};

/** The keys of a service, and what is under them. */
export type KeyRings = {
  /** The rings. */
  readonly rings: readonly KeyRing[];
  /** Replicas that reported lately. */
  readonly holders: readonly KeyHolder[];
  readonly renewal: LatestKeyRenewal;
};

/** A collection with something that a ring has sealed or digested. */
export type KeyUse = {
  /** Name of the ring. */
  readonly ring: string;
  /** Name of the collection. */
  readonly collection: string;
  /** Records that were looked at so far. */
  readonly seen: number;
  /** Those that are under the newest key since. */
  readonly renewed: number;
  /** Those that stay under an older key until they are used or replaced. */
  readonly left: number;
  /** Those that are under a key that the ring has not got. */
  readonly unopened: number;
  /** The first hundred of those that are left or do not open. */
  readonly names: readonly string[];
};

/** How far a renewal is. */
export type LatestKeyRenewal = {
  /** Chosen by who asked for it. */
  readonly renewalId: string;
  /** When it was asked for. */
  readonly askedAt: string | null;
  /** When it was done. */
  readonly doneAt: string | null;
  /** True when it is done, and nothing is under an older key any more: these may go. */
  readonly isClear: boolean;
  /** The rings when it was asked for. */
  readonly rings: readonly KeyRing[];
  /** What it came upon. */
  readonly uses: readonly KeyUse[];
} | null;

/** The right of one replica to do something alone. It ends by itself when its holder dies. */
export type Lease = {
  /** What is done under it, such as payment-relay. */
  readonly name: string;
  /** Host, process and a random part of who holds it. */
  readonly holder: string;
  /** When it ends unless its holder keeps it, by the holder's clock. */
  readonly expiresAt: string | null;
};

/** What one replica of a service does for all of them. */
export type Leases = {
  /** By name, at most 200. */
  readonly leases: readonly Lease[];
};

/** What was posted. */
export type LedgerCorrected = {
  readonly entry: JournalEntry;
};

/** A correction or a write-off between accounts. */
export type LedgerCorrection = {
  /** Id of the entry; the same again is posted once. */
  readonly entryId: string;
  /** What it is, for example correction or write-off. */
  readonly kind: string;
  /** Why; no data of persons. */
  readonly reason: string;
  /** What is posted; the sum of each currency is 0. */
  readonly postings: readonly LedgerPosting[];
  /** What it is about. */
  readonly links?: readonly string[];
};

/** A fault of the ledger. */
export type LedgerFinding = {
  /** What kind of fault it is. */
  readonly fault: string;
  /** The record. */
  readonly record: string;
  /** What was seen. */
  readonly detail: string;
};

/** What is posted to an account. */
export type LedgerPosting = {
  /** Path of an account of the platform. */
  readonly account: string;
  /** Currency of ISO 4217 or another asset code. */
  readonly currency: string;
  /** Signed minor units. */
  readonly minor: string;
};

/** A walk over the whole ledger. */
export type LedgerVerification = {
  /** Id of the walk, to ask again. */
  readonly verificationId: string;
  /** When it was started. */
  readonly startedAt: string | null;
  /** When it ended; null while it runs. */
  readonly finishedAt: string | null;
  /** Accounts that were walked. */
  readonly accounts: number;
  /** Entries of the journal. */
  readonly entries: number;
  /** Rows of all lines. */
  readonly rows: number;
  /** Sealed checkpoints. */
  readonly checkpoints: number;
  /** Anchors outside of the store that were compared; 0 where none can be read. */
  readonly anchors: number;
  /** What is not as it should be. */
  readonly findings: readonly LedgerFinding[];
};

/** Who is paid, and how. */
export type ListedRecipientOrNone = {
  /** How. */
  readonly method: "BANK_DEPOSIT" | "WALLET" | "PIX" | "CARD";
  /** ISO 3166-1 alpha-3 code. */
  readonly countryCode: string;
  /** First letters of the name. */
  readonly name?: string;
  /** Last four characters of the account. */
  readonly account?: string;
} | null;

/** Where the money is collected from. */
export type ListedSourceOrNone = {
  /** A card, or a bank account. */
  readonly type: "CARD" | "ACCOUNT";
  /** Of the card, once it is known. */
  readonly lastFourDigits?: string;
} | null;

/** What the identity provider sent the browser back with. */
export type LoginAnswer = {
  /** Secret of the login. */
  readonly login: string;
  /** Parameter `code`. */
  readonly code: string;
  /** Parameter `state`. */
  readonly state: string;
  /** Parameter `iss`, where there is one. */
  readonly iss?: string;
};

/** What conversions earned. */
export type MarginList = {
  /** By currency, without those in which nothing changed. */
  readonly margins: readonly CurrencyMargin[];
};

/** What all sources of rates said last, and what came of it. */
export type Market = {
  /** Id of the last round of reading; empty for the installed package. */
  readonly snapshot: string;
  /** When the sources were read last. */
  readonly readAt: string | null;
  /** Every source. */
  readonly sources: readonly RateSource[];
  /** Day of the reference rates. */
  readonly referenceDate: string | null;
  /** Every currency that a source has reported. */
  readonly rates: readonly CurrencyRate[];
};

/** A credential, shown only here. */
export type NewCredential = {
  /** The credential itself. */
  readonly credential: string;
  readonly facts: Credential;
};

/** A session, shown only here. */
export type NewUserSession = {
  /** Secret of the session: `Authorization: Bearer …`. */
  readonly session: string;
  /** Id of the user; null for a static token. */
  readonly userId: string | null;
  /** Slug of the tenant; null for an operator. */
  readonly tenant: string | null;
  /** What it may do. */
  readonly roles: readonly string[];
  /** When the proof ends by itself; a session that is used goes on. Null: never. */
  readonly expiresAt: string | null;
};

/** A client that exchanges a secret for tokens. */
export type OauthClient = {
  /** Public identifier. */
  readonly clientId: string;
  /** Slug of its tenant. */
  readonly tenant: string;
  /** What its tokens can allow. */
  readonly scopes: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications")[];
  /** Null while it works. */
  readonly disabledAt: string | null;
};

/** What changes of a client. */
export type OauthClientChange = {
  /** True stops its tokens within 60 seconds. */
  readonly isDisabled?: boolean;
  /** What its tokens can allow. */
  readonly scopes?: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications")[];
};

/** A client that is added. */
export type OauthClientRequest = {
  /** Public identifier. */
  readonly clientId: string;
  /** What its tokens can allow. */
  readonly scopes: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications")[];
};

/** The clients of a tenant. */
export type OauthClients = {
  /** The clients. */
  readonly clients: readonly OauthClient[];
};

/** A session, without its secret. */
export type OpenSession = {
  /** Id. */
  readonly sessionId: string;
  /** True for the session that asks. */
  readonly isCurrent: boolean;
  /** When it was opened. */
  readonly openedAt: string | null;
  /** When it was last used, to the minute. */
  readonly seenAt: string | null;
  /** When it ends unless it is used. */
  readonly expiresAt: string | null;
};

/** What changes of a user. In force at once. */
export type OperatorChange = {
  /** What it may do. */
  readonly roles?: readonly ("support" | "compliance" | "treasury" | "platform")[];
  /** True shuts it out, and ends its sessions. */
  readonly isDisabled?: boolean;
};

/** Something that an id belongs to. */
export type OperatorFound = {
  /** Slug of its tenant. */
  readonly tenant: string;
  /** What the id is of. */
  readonly kind: "payment" | "leg" | "refund" | "quote" | "provider reference" | "receipt" | "trace" | "wallet" | "wallet transaction" | "transfer" | "person" | "company" | "document" | "session" | "review" | "webhook" | "delivery" | "event";
  /** Our id of what it belongs to: of the payment for its legs, refunds, receipt, references and trace. */
  readonly id: string;
  /** What its caller calls it; null where it has no such id. */
  readonly externalId: string | null;
  /** What it belongs to: the webhook of a delivery, the transaction of an event, the person of a document. */
  readonly parentId: string | null;
  /** When it was made. */
  readonly createdAt: string | null;
  /** Path at which operators read it; absent where there is none. */
  readonly href?: string;
};

/** A person who is invited. */
export type OperatorInvitation = {
  /** Who logs in with this address, verified, within seven days. */
  readonly email: string;
  /** What it may do. */
  readonly roles: readonly ("support" | "compliance" | "treasury" | "platform")[];
};

/** A payment as operators see it in lists. */
export type OperatorListedPayment = {
  /** Slug of its tenant. */
  readonly tenant: string;
  /** Id of the payment. */
  readonly paymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** What it does. */
  readonly paymentType: "PUSH" | "PULL" | "PULLPUSH";
  /** Payment status. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** Transaction state. */
  readonly transactionState: "Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview";
  /** Compliance status. */
  readonly complianceStatus: string;
  /** Status of the payout leg; null where there is none. */
  readonly payoutStatus: string | null;
  readonly amount: Amount;
  readonly recipientAmount: RecipientAmountOrNone;
  readonly recipient: ListedRecipientOrNone;
  readonly source: ListedSourceOrNone;
  /** Its agent; null for a payment of the tenant itself. */
  readonly agentId: string | null;
  /** The quote that it used. */
  readonly fxId: string | null;
  /** When it was accepted. */
  readonly createdAt: string;
  /** When it last moved. */
  readonly updatedAt: string;
  /** When somebody must look at it if nothing happens before; null at rest. */
  readonly dueAt: string | null;
  /** Since when a person must look at it; null while none needs to. */
  readonly escalatedAt: string | null;
  /** First letters of the payer's name. */
  readonly senderName?: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** A login that is begun. */
export type OperatorLogin = {
  /** Where the identity provider sends the browser back to: a configured address, or one of this machine. */
  readonly redirectUri: string;
};

/** A payment as operators see it. */
export type OperatorPayment = {
  readonly payment: OperatorListedPayment;
  /** Captured so far. */
  readonly capturedAmount: Decimal;
  /** Refunded so far. */
  readonly refundedAmount: Decimal;
  /** When it was captured. */
  readonly capturedAt: string | null;
  /** Fees charged to the tenant, the oldest first. */
  readonly fees: readonly OperatorPaymentFee[];
  /** The oldest first. */
  readonly operations: readonly OperatorPaymentOperation[];
  readonly sender: OperatorPaymentSenderOrNone;
};

/** A fee. */
export type OperatorPaymentFee = {
  /** What caused it. */
  readonly sourceId: string;
  /** What it was charged for. */
  readonly eventId: "PRE_AUTH" | "CAPTURE" | "REFUND";
  /** When it was charged. */
  readonly at: string | null;
  /** In the currency of the payment. */
  readonly amount: Decimal;
};

/** A page of payments. */
export type OperatorPaymentListPage = {
  /** The newest first. */
  readonly payments: readonly OperatorListedPayment[];
  /** `after` of the next page; null on the last. A page with few payments, or none, may have it. */
  readonly next: string | null;
};

/** An operation on a payment. */
export type OperatorPaymentOperation = {
  /** The payment, or the leg or refund, that it belongs to. */
  readonly paymentId: string;
  /** When it was asked for. */
  readonly requestedAt: string | null;
  /** What was asked for. */
  readonly code: "PAYMENT" | "CAPTURE" | "REFUND";
  /** Payment status after it. */
  readonly status: string;
  /** Plain words. */
  readonly description: string;
  /** Its amount, in the currency of the payment. */
  readonly amount: Decimal;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** Who pays. Only the role compliance sees it. */
export type OperatorPaymentSenderOrNone = {
  /** Given name; empty when not given. */
  readonly firstName: string;
  /** Family name; empty when not given. */
  readonly lastName: string;
  /** Phone number; empty when not given. */
  readonly phoneNumber: string;
  /** E-mail address; empty when not given. */
  readonly email: string;
  /** Address of the device. */
  readonly ipAddress: string;
  /** ISO 3166-1 alpha-3 code of the address. */
  readonly countryCode: string;
} | null;

/** Everything that happened to a payment. */
export type OperatorPaymentTimeline = {
  /** Id of the payment. */
  readonly paymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** What caused the changes. */
  readonly traceIds: readonly string[];
  /** Changes of its state. */
  readonly states: readonly PaymentChange[];
  /** Changes of its compliance. */
  readonly compliance: readonly PaymentChange[];
  /** Changes of its payout. */
  readonly payout: readonly PaymentChange[];
  /** Calls to providers. */
  readonly attempts: readonly ProviderAttempt[];
  /** What moved money. */
  readonly postings: readonly PaymentPosting[];
  /** What was sent to webhooks. */
  readonly webhookDeliveries: readonly PaymentDelivery[];
  /** What providers have said, in the order in which it was learnt. */
  readonly facts: readonly ProviderFact[];
  /** What a person had to put right, the oldest first, at most 200. */
  readonly cases: readonly CaseSummary[];
};

/** What an id belongs to, of any tenant. */
export type OperatorSearchResult = {
  /** At most 100; empty for an id of nothing. */
  readonly found: readonly OperatorFound[];
  /** Services that did not answer in time: what they keep may be missing. */
  readonly missing: readonly ("payment" | "fx" | "wallet" | "identity" | "webhook")[];
};

/** An erasure that a vendor has not acknowledged. */
export type OutstandingErasure = {
  /** Slug of the tenant. */
  readonly tenant: string;
  /** Id of the person or company that was erased. */
  readonly participantId: string;
  /** When it was erased here. */
  readonly erasedAt: string | null;
  /** Since when a vendor owes its acknowledgement. */
  readonly outstandingSince: string | null;
  /** How often the vendors were asked in vain. */
  readonly tries: number;
  /** Its sessions, by the ids that the vendor knows. */
  readonly sessionIds: readonly string[];
  /** Its documents, by the ids that the vendor knows. */
  readonly documentIds: readonly string[];
};

/** Erasures that a vendor has not acknowledged. */
export type OutstandingErasures = {
  /** Those outstanding for longest first. */
  readonly erasures: readonly OutstandingErasure[];
};

/** A message that could not be read. */
export type ParkedMessage = {
  /** Stream and sequence with a slash between. */
  readonly id: string;
  /** Stream that it came from. */
  readonly stream: string;
  /** Its place in the stream. */
  readonly sequence: number;
  /** Subject that it was published on. */
  readonly subject: string;
  /** Why it could not be read. */
  readonly cause: string;
  /** When it was parked. */
  readonly parkedAt: string | null;
  /** How many bytes it has. */
  readonly size: number;
};

/** A page of messages. */
export type ParkedMessagePage = {
  /** The messages, the oldest first. */
  readonly messages: readonly ParkedMessage[];
  /** Begin of the next page. */
  readonly next: string | null;
};

/** Whose document is looked for. */
export type ParticipantSearch = {
  /** Number of the document. */
  readonly identification: string;
  /** Kind of document, as it was registered; absent where none was. */
  readonly identificationType?: string;
  /** `next` of the page before. */
  readonly after?: string;
};

/** A change of a payment. */
export type PaymentChange = {
  /** Position among the payment's changes, from 1. */
  readonly sequence: number;
  /** When it was decided. */
  readonly at: string | null;
  /** What happened. */
  readonly messages: readonly string[];
  /** Value before; null on the first. */
  readonly from: string | null;
  /** Value after. */
  readonly to: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** One event that was sent to a webhook. */
export type PaymentDelivery = {
  /** Id of the delivery. */
  readonly deliveryId: string;
  /** Id of the subscription. */
  readonly webhookId: string;
  /** Name of the event. */
  readonly event: string;
  /** Position of the change that it reports. */
  readonly sequence: number;
  /** Where it stands. */
  readonly status: "PENDING" | "DELIVERED" | "FAILED";
  /** Attempts made so far. */
  readonly attempts: number;
  /** HTTP status of the last answer. */
  readonly lastStatus: number | null;
};

/** What moved money. */
export type PaymentPosting = {
  /** Position among the payment's changes, from 1. */
  readonly sequence: number;
  /** When it was decided. */
  readonly at: string | null;
  /** What happened. */
  readonly messages: readonly string[];
  /** What moved the money. */
  readonly kind: string;
  /** What it posted. */
  readonly postings: readonly PaymentPostingSide[];
};

/** What entered or left an account. */
export type PaymentPostingSide = {
  /** Account of the ledger. */
  readonly account: string;
  /** ISO 4217. */
  readonly currency: string;
  /** What entered the account; negative for what left it. */
  readonly amount: Decimal;
};

/** Post an entry that is linked to the case. */
export type PostCorrection = {
  /** The operator's own id of the decision, a UUID; the same again changes nothing. */
  readonly commandId: string;
  /** Why. */
  readonly note: string;
  /** What is done. */
  readonly command: "postCorrection";
  /** What it posts; of each currency they add up to zero. */
  readonly postings: readonly CommandPosting[];
  /** What proves it. */
  readonly evidence?: string;
};

/** What an account held. */
export type ProofAccount = {
  /** Path in the chart of accounts. */
  readonly account: string;
  /** Currency. */
  readonly currency: string;
  /** Minor units. */
  readonly minor: string;
};

/** The sums of a currency. */
export type ProofLine = {
  /** Currency of ISO 4217 or another asset code. */
  readonly currency: string;
  /** Wallets and tenants' funding, minor units. */
  readonly customersMinor: string;
  /** What providers and tenants' banks hold. */
  readonly heldMinor: string;
  /** Fx, margin, fees and write-offs. */
  readonly ownMinor: string;
  /** Suspense. */
  readonly unassignedMinor: string;
  /** Money of payments that are blocked. */
  readonly blockedMinor: string;
  /** All of these together; 0 in a sound ledger. */
  readonly differenceMinor: string;
};

/** A call to a provider. */
export type ProviderAttempt = {
  /** For example authorize, prepare or release. */
  readonly step: string;
  /** Name of the provider. */
  readonly provider: string;
  /** send, or ask after an unknown outcome. */
  readonly approach: string;
  /** Status in the provider's report, absent or unknown. */
  readonly outcome: string;
  /** When the outcome was there. */
  readonly at: string | null;
  /** How long the call took. */
  readonly tookMs: number;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** What a provider has said to be so. */
export type ProviderFact = {
  /** Name of the provider. */
  readonly provider: string;
  /** What it is, such as CAPTURED or PAID. */
  readonly kind: string;
  /** Our reference at the provider. */
  readonly reference: string;
  /** The provider's id of the movement, else our key of the step. */
  readonly movementId: string;
  readonly amount: ProviderFactAmount;
  /** When it happened, by the provider's clock; null where it does not say. */
  readonly providerAt: string | null;
  /** When it was learnt. */
  readonly at: string | null;
  /** SHA-256 of what the provider wrote, 64 hex digits; null where nothing was written. */
  readonly evidenceHash: string | null;
  /** What the provider wrote. Only the role compliance sees it, while it is kept. */
  readonly evidence: string | null;
};

/** An exact amount. */
export type ProviderFactAmount = {
  /** Exact amount. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** The end of a hold. */
export type RateRelease = {
  /** Id of the hold. */
  readonly holdId: string;
  /** Units for one US dollar, decimal text; near what one of the sources says. */
  readonly rate: string;
  /** Why; kept with the rate. */
  readonly note: string;
};

/** A source of rates. */
export type RateSource = {
  /** Its name in the settings. */
  readonly source: string;
  /** Of when its last usable answer is. */
  readonly asOf: string | null;
  /** Why its last answer could not be used. */
  readonly problem: string | null;
};

/** The gateway takes requests. */
export type Ready = {
  /** Always the same word. */
  readonly status: "ok";
  /** Services that do not answer; their routes are 503. */
  readonly missing: readonly string[];
};

/** What the recipient gets; null where no recipient is paid. */
export type RecipientAmountOrNone = {
  /** Exact amount. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** How our books and the providers' statements stand. */
export type Reconciliation = {
  /** What was read of each statement. */
  readonly statements: readonly StatementPosition[];
  /** How many breaks there are of each class. */
  readonly classes: readonly BreakCount[];
  /** The first 200 breaks. */
  readonly breaks: readonly StatementBreak[];
};

/** How far a replay is. */
export type Replay = {
  /** True when all was published. */
  readonly isDone: boolean;
  /** Messages that were published so far. */
  readonly published: number;
};

/** A span of messages that is published again. */
export type ReplayRequest = {
  /** Chosen by the caller. */
  readonly replayId: string;
  /** From when on, by the time of publication. */
  readonly since: string;
};

/** Give the facts of the case that still wait to a payment, once. */
export type RepointFact = {
  /** The operator's own id of the decision, a UUID; the same again changes nothing. */
  readonly commandId: string;
  /** Why. */
  readonly note: string;
  /** What is done. */
  readonly command: "repointFact";
  /** The payment that gets them. */
  readonly paymentId: string;
  /** What proves it. */
  readonly evidence?: string;
};

/** A break that was ended. */
export type ResolvedBreak = {
  readonly break?: StatementBreak;
};

/** Where the payment is now. */
export type ReversalDecided = {
  /** State of the transaction after the decision. */
  readonly transactionState: string;
};

/** Whether a reversal is made. */
export type ReversalDecision = {
  /** True gives the money back; false lets the payment go on. */
  readonly approve: boolean;
};

/** A review with what is known of its subject. */
export type Review = {
  /** Id. */
  readonly reviewId: string;
  /** Slug of the subject's tenant. */
  readonly tenant: string;
  /** What is reviewed. */
  readonly kind: "PERSON" | "COMPANY" | "PAYMENT";
  /** Id of the person, company or payment. */
  readonly subjectId: string;
  /** Where it stands; WITHDRAWN when the question went away, BLOCKED until an authority allows. */
  readonly status: "OPEN" | "APPROVED" | "REJECTED" | "WITHDRAWN" | "BLOCKED";
  /** True while the screening provider has not decided either. */
  readonly awaitsProvider: boolean;
  /** Version of the list that was used last. */
  readonly listVersion: string;
  /** When it was opened. */
  readonly openedAt: string | null;
  /** When it ended. */
  readonly decidedAt: string | null;
  /** Who ended it: an operator, `screening provider`, `embargo` or `platform`. */
  readonly author: string | null;
  /** When the authority must have been notified; null where no report is owed. */
  readonly reportDueAt: string | null;
  /** The reference under which it was notified. */
  readonly reportReference: string | null;
  /** The authority's reference of the release. */
  readonly authorityReference: string | null;
  /** Who agreed to the release. */
  readonly approver: string | null;
  /** The country or programme under an embargo that has brought the payment here. */
  readonly embargo: string | null;
  /** Account of the ledger that an authority's order has sent the money to. */
  readonly payTo: string | null;
  /** What was found on lists. */
  readonly hits: readonly ScreeningHitInFull[];
  /** Why. */
  readonly note: string | null;
  /** What is known of the subject; null after an erasure. */
  readonly facts: { readonly [name: string]: unknown } | null;
};

/** What is decided about a review. */
export type ReviewDecision = {
  /** True lets the subject go on and clears the hits; false rejects it. */
  readonly approve: boolean;
  /** Why; kept with the review. */
  readonly note: string;
  /** True, with `approve` false, keeps a payment where it is until an authority allows its release. */
  readonly block?: boolean;
};

/** A page of reviews. */
export type ReviewPage = {
  /** The oldest first. */
  readonly reviews: readonly ReviewSummary[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** A review, without what is known of its subject. */
export type ReviewSummary = {
  /** Id. */
  readonly reviewId: string;
  /** Slug of the subject's tenant. */
  readonly tenant: string;
  /** What is reviewed. */
  readonly kind: "PERSON" | "COMPANY" | "PAYMENT";
  /** Id of the person, company or payment. */
  readonly subjectId: string;
  /** Where it stands; WITHDRAWN when the question went away, BLOCKED until an authority allows. */
  readonly status: "OPEN" | "APPROVED" | "REJECTED" | "WITHDRAWN" | "BLOCKED";
  /** True while the screening provider has not decided either. */
  readonly awaitsProvider: boolean;
  /** Version of the list that was used last. */
  readonly listVersion: string;
  /** When it was opened. */
  readonly openedAt: string | null;
  /** When it ended. */
  readonly decidedAt: string | null;
  /** Who ended it: an operator, `screening provider`, `embargo` or `platform`. */
  readonly author: string | null;
  /** When the authority must have been notified; null where no report is owed. */
  readonly reportDueAt: string | null;
  /** The reference under which it was notified. */
  readonly reportReference: string | null;
  /** The authority's reference of the release. */
  readonly authorityReference: string | null;
  /** Who agreed to the release. */
  readonly approver: string | null;
  /** The country or programme under an embargo that has brought the payment here. */
  readonly embargo: string | null;
  /** Account of the ledger that an authority's order has sent the money to. */
  readonly payTo: string | null;
  /** What was found on lists. */
  readonly hits: readonly ScreeningHit[];
};

/** A file, what was decided of it, by whom and why. */
export type ReviewedDocument = {
  /** Id of the upload; its events name it. */
  readonly id: string;
  /** The person or company that it belongs to. */
  readonly entityId: string;
  /** Kind of document. */
  readonly documentType: string;
  /** What has become of it; PENDING until there is more to say. */
  readonly verificationStatus: "PENDING" | "VERIFIED" | "REJECTED" | "SUPERSEDED" | "ERRORED";
  /** By content. */
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, hex. */
  readonly sha256: string;
  /** When it was uploaded. */
  readonly createdAt: string;
  /** When its status last changed. */
  readonly updatedAt: string;
  /** The last decision; null before the first. */
  readonly decision: {
    /** The last decision. */
    readonly status: "VERIFIED" | "REJECTED";
    /** When it was decided. */
    readonly decidedAt: string;
    /** Why, for programs. */
    readonly reasonCode?: string;
    /** Operator that decided; absent when document reading did. */
    readonly author?: string;
    /** What the operator wrote. */
    readonly note?: string;
  } | null;
  /** Number of the document, with a letter or a digit. One that differs from the last said replaces it. */
  readonly documentNumber?: string;
};

/** A page of documents. */
export type ReviewedDocumentPage = {
  /** The oldest first. */
  readonly documents: readonly ReviewedDocument[];
  /** Ask for the next page with it as `after`; null on the last one. */
  readonly next: string | null;
};

/** A hit that was cleared. */
export type ScreeningException = {
  /** Id. */
  readonly exceptionId: string;
  /** Slug of the subject's tenant. */
  readonly tenant: string;
  /** What is reviewed. */
  readonly kind: "PERSON" | "COMPANY" | "PAYMENT";
  /** Id of the person, company or payment. */
  readonly subjectId: string;
  /** Entry of the screening list; the exception ends when its names change. */
  readonly entryId: string;
  /** The review that cleared it. */
  readonly reviewId: string;
  /** Who cleared it. */
  readonly author: string;
  /** Why; null after an erasure. */
  readonly note: string | null;
  /** When. */
  readonly createdAt: string | null;
  /** Version of the lists by which it was cleared. */
  readonly listVersion: string;
  /** When it ends, and the hit is raised again. */
  readonly expiresAt: string | null;
};

/** A page of exceptions. */
export type ScreeningExceptionPage = {
  /** The oldest first. */
  readonly exceptions: readonly ScreeningException[];
  /** Cursor of the next page. */
  readonly next: string | null;
};

/** An entry that may be meant. */
export type ScreeningHit = {
  /** Entry of the screening list. */
  readonly entryId: string;
  /** How much speaks for the entry; 100 is beyond doubt. */
  readonly likenessPercent: number;
};

/** An entry that may be meant, and why. */
export type ScreeningHitInFull = {
  /** Entry of the screening list. */
  readonly entryId: string;
  /** How much speaks for the entry; 100 is beyond doubt. */
  readonly likenessPercent: number;
  /** What spoke for and against it, in points: `factor`, `points`, and what of the entry is meant. */
  readonly factors: readonly unknown[] | null;
  /** The entry, as its list has it. */
  readonly entry: { readonly [name: string]: unknown } | null;
};

/** Take a fact as reported, as if its provider had said it. */
export type SettleStep = {
  /** The operator's own id of the decision, a UUID; the same again changes nothing. */
  readonly commandId: string;
  /** Why. */
  readonly note: string;
  /** What is done. */
  readonly command: "settleStep";
  /** What happened. */
  readonly kind: "AUTHORIZED" | "CAPTURED" | "SETTLED" | "VOIDED" | "REFUNDED" | "COLLECTION_RETURNED" | "CHARGED_BACK" | "DECLINED" | "PAID" | "REJECTED" | "PAYOUT_RETURNED" | "CANCELLED" | "REFUSED";
  /** What proves it. */
  readonly evidence: string;
  readonly amount?: CommandAmount;
  /** The provider's own id of the movement; without one a refund is the one under way. */
  readonly movementId?: string;
  /** Payment; needed where the case is not about one payment. */
  readonly paymentId?: string;
};

/** What one side has, signed as on our account; null for nothing. */
export type SignedAmount = {
  /** Exact amount; negative for what the provider holds for us. */
  readonly total: Decimal;
  /** Currency of ISO 4217 or another asset code. */
  readonly currency: string;
} | null;

/** A key that signs access tokens. */
export type SigningKey = {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** When it begins to sign. */
  readonly signsFrom: string | null;
  /** True for the one that signs now. */
  readonly isSigning: boolean;
};

/** The published keys. */
export type SigningKeys = {
  /** The keys, newest first. */
  readonly keys: readonly SigningKey[];
};

/** A difference between our books and a provider's statement. */
export type StatementBreak = {
  /** Id of the break. */
  readonly breakId: string;
  /** What differs. */
  readonly class: "MISSING_HERE" | "MISSING_THERE" | "AMOUNT" | "CURRENCY" | "DOUBLED" | "GAP" | "SUSPENSE";
  /** Provider; empty for suspense. */
  readonly provider: string;
  /** Our reference as the statement has it, or the payment. */
  readonly reference: string;
  /** The payments that it is about. */
  readonly paymentIds: readonly string[];
  readonly ours: BreakSide;
  readonly theirs: BreakSide;
  /** What was seen, with the ids of lines and entries. */
  readonly detail: string;
  /** When it was found. */
  readonly foundAt: string | null;
  /** The case that was opened for it. */
  readonly caseId: string | null;
  /** When it was resolved. */
  readonly resolvedAt: string | null;
  /** How it was resolved. */
  readonly resolution: string | null;
};

/** A page of breaks. */
export type StatementBreakPage = {
  /** The breaks. */
  readonly breaks: readonly StatementBreak[];
  /** For the next page. */
  readonly next: string | null;
};

/** A difference between a provider's statement and our account. */
export type StatementDifference = {
  /** Id of the break, as `GET /ledger/breaks` has it. */
  readonly breakId: string;
  /** What differs; the runbook says what to do. */
  readonly class: "MISSING_HERE" | "MISSING_THERE" | "AMOUNT" | "CURRENCY" | "DOUBLED" | "GAP" | "SUSPENSE" | "UNKNOWN";
  /** Provider; null for suspense. */
  readonly provider: string | null;
  /** Our reference as the statement has it, or the payment; the numbers of a gap. */
  readonly reference: string;
  /** The half of the payment whose money it is; null where none is known. */
  readonly leg: "PULL" | "PAYOUT" | null;
  readonly ours: SignedAmount;
  readonly theirs: SignedAmount;
  /** The statement's lines. */
  readonly lineIds: readonly string[];
  /** Our entries. */
  readonly entryIds: readonly string[];
  /** When it was found. */
  readonly foundAt: string | null;
};

/** How far a provider's statement was read. */
export type StatementPosition = {
  /** Provider, for example pix or acquirer. */
  readonly provider: string;
  /** Number of the last line that was read; 0: none yet. */
  readonly lastLine: number;
  /** Movements that one of the books has not, or not yet, or otherwise. */
  readonly openItems: number;
  /** When the statement was read to its end. */
  readonly readAt: string | null;
};

/** What a subscription has still to get. */
export type SubscriptionBacklog = {
  /** Slug of the tenant. */
  readonly tenant: string;
  /** Id of the subscription. */
  readonly webhookId: string;
  /** Deliveries that wait, counted up to 100. */
  readonly waiting: number;
  /** When the oldest of them was made. */
  readonly oldestAt: string | null;
  /** When it is looked at next. */
  readonly dueAt: string | null;
  /** Failed attempts at the endpoint in a row. */
  readonly failures: number;
  /** The endpoint is left alone until then; null while it is not. */
  readonly pausedUntil: string | null;
  /** Since when nothing is sent; null while it is enabled. */
  readonly disabledAt: string | null;
};

/** A customer of the platform. */
export type Tenant = {
  /** Slug of the tenant. */
  readonly tenant: string;
  /** True: none of its credentials works. */
  readonly isDisabled: boolean;
  /** Where its calls may come from; empty: from everywhere. */
  readonly allowlist: readonly string[];
  /** Its client certificates. */
  readonly certificates: readonly string[];
  /** When it was added. */
  readonly createdAt: string | null;
};

/** What changes of a tenant. */
export type TenantChange = {
  /** True stops all of its credentials within 60 seconds. */
  readonly isDisabled?: boolean;
  /** Where its calls may come from; empty: from everywhere. */
  readonly allowlist?: readonly string[];
  /** Its client certificates. */
  readonly certificates?: readonly string[];
};

/** What changes of a user. In force at once. */
export type TenantPersonChange = {
  /** What it may do. */
  readonly roles?: readonly ("viewer" | "developer" | "finance" | "admin")[];
  /** True shuts it out, and ends its sessions. */
  readonly isDisabled?: boolean;
};

/** A person who is invited. */
export type TenantPersonInvitation = {
  /** Who logs in with this address, verified, within seven days. */
  readonly email: string;
  /** What it may do. */
  readonly roles: readonly ("viewer" | "developer" | "finance" | "admin")[];
};

/** A tenant that is added. */
export type TenantRequest = {
  /** Its slug. */
  readonly tenant: string;
};

/** All tenants. */
export type Tenants = {
  /** The tenants, by slug. */
  readonly tenants: readonly Tenant[];
};

export type TransactionComplianceStatusChangedEvent = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: string;
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's or tenant's own id of it; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Status before; null for the first event. */
  readonly oldComplianceStatus: string | null;
  /** Pending, Approved, Rejected, Cancelled, Failed or Refunded; others may come. */
  readonly newComplianceStatus: string;
  readonly newStatusMessages: readonly string[];
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

export type TransactionPayoutStatusChanged = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: string;
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's or tenant's own id of it; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Status before; null for the first event. */
  readonly oldPayoutStatus: string | null;
  /** Status of the payout now, such as PENDING, CAPTURED or DECLINED; others may come. */
  readonly newPayoutStatus: string;
  readonly newStatusMessages: readonly string[];
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
  /** The rail's own id of the payout; null before it has one. */
  readonly gatewayPaymentId: string | null;
  /** The receipt that the recipient can show; null before there is one. */
  readonly gmtReceipt: string | null;
  /** What the recipient gets. */
  readonly amount: {
    /** Exact amount. */
    readonly total: Decimal;
    /** ISO 4217 code. */
    readonly currency: string;
  } | null;
};

/** Where a payment is now. */
export type TransactionStateNow = {
  /** State of the transaction. */
  readonly transactionState: string;
};

export type TransactionStatusChanged = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: string;
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's or tenant's own id of it; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Status before; null for the first event. */
  readonly oldStatus: string | null;
  /** Status now, one of GET /.well-known/transaction-states.json. */
  readonly newStatus: string;
  readonly newStatusMessages: readonly string[];
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** What all accounts of each path hold together. */
export type TrialBalance = {
  /** The accounts. */
  readonly accounts: readonly TrialBalanceAccount[];
  /** Each must be 0. */
  readonly totals: readonly TrialBalanceTotal[];
};

/** What the accounts of a path hold. */
export type TrialBalanceAccount = {
  /** Path in the chart of accounts. */
  readonly path: string;
  /** Currency of ISO 4217 or another asset code. */
  readonly asset: string;
  /** Plain decimal. */
  readonly amount: string;
};

/** What all accounts hold of an asset. */
export type TrialBalanceTotal = {
  /** Currency of ISO 4217 or another asset code. */
  readonly asset: string;
  /** Plain decimal. */
  readonly amount: string;
};

/** Somebody who was invited or has come. */
export type User = {
  /** Id. */
  readonly userId: string;
  /** The address that was invited; null for who came by the identity provider's word alone. */
  readonly email: string | null;
  /** Roles that are bound here, beside those that the identity provider names. */
  readonly roles: readonly string[];
  /** True: it is shut out. */
  readonly isDisabled: boolean;
  /** True once it has logged in. */
  readonly hasCome: boolean;
  /** When it was invited, or came. */
  readonly createdAt: string | null;
};

/** Who calls. */
export type UserSession = {
  /** Id of the user; null for a static token. */
  readonly userId: string | null;
  /** Slug of the tenant; null for an operator. */
  readonly tenant: string | null;
  /** What it may do. */
  readonly roles: readonly string[];
  /** When the proof ends by itself; a session that is used goes on. Null: never. */
  readonly expiresAt: string | null;
};

/** All sessions of one user that hold. */
export type UserSessions = {
  /** The newest first, at most 100. */
  readonly sessions: readonly OpenSession[];
};

/** All users. */
export type Users = {
  /** The oldest first. */
  readonly users: readonly User[];
};

/** Where a wallet is. */
export type WalletStatusChange = {
  /** Id of the wallet. */
  readonly walletId: string;
  /** Its state. */
  readonly status: string;
};

/** Where a wallet goes. */
export type WalletStatusRequest = {
  /** Where it goes. */
  readonly status: "ACTIVE" | "FROZEN" | "CLOSED";
};

/** Subscriptions that have something undelivered. */
export type WebhookBacklog = {
  /** Those due for longest first. */
  readonly backlogs: readonly SubscriptionBacklog[];
};

export type WebhookTest = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: string;
  /** Id of the subscription. */
  readonly webhookId: string;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Version of the body's form. */
  readonly version: 1;
};

/** What each operation takes and answers. */
export interface OperatorApi {
  /** End the session. */
  "DELETE /session": {
    answer: undefined;
  };
  /** End one of one's own sessions. */
  "DELETE /sessions/{sessionId}": {
    answer: undefined;
  };
  /** Take a key out of the set, and its tokens with it. */
  "DELETE /signing-keys/{kid}": {
    answer: AskedApproval;
  };
  /** End a key or secret, and the tokens that a secret was given. */
  "DELETE /tenants/{tenant}/credentials/{credentialId}": {
    answer: AskedApproval;
  };
  /** Take an exception back; a person or company is screened again at once. */
  "DELETE /tenants/{tenant}/exceptions/{exceptionId}": {
    answer: AskedApproval;
  };
  /** Erase a person or company permanently: its key is destroyed, copies and backups included. */
  "DELETE /tenants/{tenant}/participants/{participantId}": {
    answer: AskedApproval;
  };
  /** End all sessions of one of the people of a tenant, and what the identity provider has given it. Needs no second person. */
  "DELETE /tenants/{tenant}/users/{userId}/sessions": {
    answer: undefined;
  };
  /** End all sessions of one of the operators, and what the identity provider has given it. Needs no second person. */
  "DELETE /users/{userId}/sessions": {
    answer: undefined;
  };
  /** List approvals, the oldest first; those that wait unless another state is asked for. */
  "GET /approvals": {
    query?: {
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
      /** WAITING without it. */
      readonly state?: "WAITING" | "APPROVED" | "REFUSED" | "SPENT";
    };
    answer: ApprovalPage;
  };
  /** Show an approval with what its command says. */
  "GET /approvals/{approvalId}": {
    answer: ApprovalShown;
  };
  /** Records behind `after`, at most `limit` (500), the oldest first or the newest. */
  "GET /audit": {
    query?: {
      /** Only what this actor did, as records name it: `user:<id>`. */
      readonly actor?: string;
      /** Only records of this tenant, by its slug; not together with `actor`. */
      readonly tenant?: string;
      /** Only what was done to exactly this object, as records name it; not together with `actor` or `tenant`. */
      readonly object?: string;
      /** Happened then or later; a bare date is the beginning of that UTC day. */
      readonly from?: string;
      /** Happened before; a bare date is the beginning of that UTC day. */
      readonly until?: string;
      /** Sequence of the last record that is known. */
      readonly after?: number;
      /** Which come first. */
      readonly order?: "oldest" | "newest";
      /** How many at most. */
      readonly limit?: number;
    };
    answer: AuditPage;
  };
  /** Check the whole chain, and with `sequence` and `hash` that a record kept elsewhere is still in it. */
  "GET /audit/verify": {
    query?: {
      /** Its sequence. */
      readonly sequence?: number;
      /** Its hash. */
      readonly hash?: string;
    };
    answer: AuditVerdict;
  };
  /** What a service has found missing in the streams that it consumes, and has not got again yet. */
  "GET /bus/{service}/gaps": {
    answer: BusGaps;
  };
  /** Which replica of a service publishes its events, and what else one does for all of them. */
  "GET /bus/{service}/leases": {
    answer: Leases;
  };
  /** Messages that a service could not read, the oldest first. */
  "GET /bus/{service}/parked-messages": {
    query?: {
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: ParkedMessagePage;
  };
  /** List cases, the oldest first; those that are open unless another state is asked for. */
  "GET /cases": {
    query?: {
      /** OPEN, CLOSED, or ALL. */
      readonly state?: "OPEN" | "CLOSED" | "ALL";
      /** Only cases of this kind. */
      readonly kind?: "UNEXPECTED_FACT" | "AMOUNT_DIFFERS" | "CONTRADICTION" | "UNKNOWN_REFERENCE" | "STEP_UNKNOWN" | "REVERSAL_REFUSED" | "RECONCILIATION_BREAK" | "PARKED_MESSAGE" | "AUTHORIZATION_EXPIRED";
      /** Slug of a tenant. */
      readonly tenant?: string;
      /** Name of a provider. */
      readonly provider?: string;
      /** UUID of a payment. */
      readonly paymentId?: string;
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: CasePage;
  };
  /** Show a case with its whole story and the evidence. */
  "GET /cases/{caseId}": {
    answer: Case;
  };
  /** List erasures that a vendor has not acknowledged, by the ids that it knows. */
  "GET /erasures": {
    query?: {
      /** How many at most. */
      readonly limit?: number;
    };
    answer: OutstandingErasures;
  };
  /** List hits that were cleared, the oldest first. */
  "GET /exceptions": {
    query?: {
      /** Slug of a tenant; all without it. */
      readonly tenant?: string;
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: ScreeningExceptionPage;
  };
  /** Show the platform's position in every currency, read from the ledger now, with its value and its limit. */
  "GET /fx/exposure": {
    answer: ExposureList;
  };
  /** Show what to buy or sell in each currency so that the platform has no position, or one within its limit. */
  "GET /fx/hedges": {
    answer: HedgeList;
  };
  /** Show what conversions earned in a span of time, by currency, from the ledger. */
  "GET /fx/margin": {
    query: {
      /** First instant. */
      readonly from: string;
      /** Last instant, exclusive; after `from`. */
      readonly until: string;
    };
    answer: MarginList;
  };
  /** List the conversions of a span of time as the ledger has them, each next to what its quote promised. A page may be short, or empty, and still have a cursor. */
  "GET /fx/margin/conversions": {
    query: {
      /** First instant. */
      readonly from: string;
      /** Last instant, exclusive; after `from`. */
      readonly until: string;
      /** AGREES: the ledger has what was promised, to the minor unit. DIFFERS: it has something else. UNPROMISED: no payment reported the entry; an operator posted it. */
      readonly outcome?: "AGREES" | "DIFFERS" | "UNPROMISED";
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: BookedConversionPage;
  };
  /** Say that the process is alive. */
  "GET /healthz": {
    answer: Alive;
  };
  /** List payments of all tenants that wait for a person, the oldest first. */
  "GET /holds": {
    query?: {
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: HeldPaymentPage;
  };
  /** Which keys a service has at which replica, and how far everything is under the newest. */
  "GET /key-rings/{service}": {
    answer: KeyRings;
  };
  /** List the unresolved differences to providers' statements. */
  "GET /ledger/breaks": {
    query?: {
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: StatementBreakPage;
  };
  /** List the entries of a payment or on an account, the oldest first. */
  "GET /ledger/entries": {
    query?: {
      /** Path of an account; either this or paymentId. */
      readonly account?: string;
      /** With account: only this currency. */
      readonly currency?: string;
      /** Id of a payment. */
      readonly paymentId?: string;
      /** First instant. */
      readonly from?: string;
      /** Last instant, exclusive; after `from`. */
      readonly until?: string;
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: JournalEntryPage;
  };
  /** One entry of the journal. */
  "GET /ledger/entries/{entryId}": {
    answer: JournalEntryFound;
  };
  /** What an account holds, has promised and may still promise. */
  "GET /ledger/promises": {
    query: {
      /** tenant/<slug>/funding or provider/<name>/clearing. */
      readonly account: string;
      /** ISO 4217 code. */
      readonly currency: string;
    };
    answer: AccountPromises;
  };
  /** The proof that customers' money equalled the money held at the end of a day, as JSON or CSV. */
  "GET /ledger/proofs/{day}": {
    query?: {
      /** json or csv. */
      readonly format?: "json" | "csv";
    };
    answer: DailyProof;
  };
  /** What all accounts of each path hold together; each asset's total must be 0. */
  "GET /ledger/trial-balance": {
    query?: {
      /** The accounts as they were at the end of this instant; now, unless given. */
      readonly asOf?: string;
    };
    answer: TrialBalance;
  };
  /** How a walk went. */
  "GET /ledger/verifications/{verificationId}": {
    answer: LedgerVerification;
  };
  /** This document. */
  "GET /openapi.json": {
    answer: { readonly [name: string]: unknown };
  };
  /** List payments of all tenants, the newest first. `Accept: text/csv` gets all of them as text. */
  "GET /payments": {
    query?: {
      /** Only payments of this tenant, by its slug. */
      readonly tenant?: string;
      /** Only with this payment status. */
      readonly status?: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
      /** Only in this transaction state. */
      readonly state?: "Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview";
      /** Only of this type. */
      readonly type?: "PUSH" | "PULL" | "PULLPUSH";
      /** Only of amounts in this currency, an ISO 4217 code. */
      readonly currency?: string;
      /** Only those that pay out in this currency, an ISO 4217 code. */
      readonly recipientCurrency?: string;
      /** Least amount, in units of its currency. */
      readonly minAmount?: string;
      /** Largest amount, in units of its currency. */
      readonly maxAmount?: string;
      /** Only those that pay to this country, an ISO 3166-1 alpha-3 code. */
      readonly country?: string;
      /** Only those that pay by this method. */
      readonly method?: "BANK_DEPOSIT" | "WALLET" | "PIX" | "CARD";
      /** Created then or later; a bare date is the beginning of that UTC day. */
      readonly from?: string;
      /** Created before; after `from`. A bare date is the beginning of that UTC day. */
      readonly until?: string;
      /** Moved last then or later. */
      readonly changedFrom?: string;
      /** Moved last before; after `changedFrom`. */
      readonly changedUntil?: string;
      /** Only transactions of this agent. */
      readonly agentId?: string;
      /** Only those that are for this reason not as they were asked for. */
      readonly reasonCode?: string;
      /** Only those whose externalPaymentId begins with it. */
      readonly idPrefix?: string;
      /** Only those that are still due a minute after their time. */
      readonly overdue?: true;
      /** Only those that a person must look at. */
      readonly stuck?: true;
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most payments of a page. */
      readonly limit?: number;
    };
    answer: OperatorPaymentListPage;
  };
  /** Show what every source of rates said last, and which currencies are held. */
  "GET /rates": {
    answer: Market;
  };
  /** Say whether the gateway takes requests, and which services behind it do not answer. */
  "GET /readyz": {
    answer: Ready;
  };
  /** List reviews, the oldest first; those that are open unless another status is asked for. */
  "GET /reviews": {
    query?: {
      /** Slug of a tenant; all without it. */
      readonly tenant?: string;
      /** Id of a person, company or payment. */
      readonly subjectId?: string;
      /** Only what is reviewed of this kind. */
      readonly kind?: "PERSON" | "COMPANY" | "PAYMENT";
      /** OPEN without it. */
      readonly status?: "OPEN" | "APPROVED" | "REJECTED" | "WITHDRAWN" | "BLOCKED";
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: ReviewPage;
  };
  /** Show a review with what is known of its subject. */
  "GET /reviews/{reviewId}": {
    answer: Review;
  };
  /** List blocked and refused payments that must be reported to the authority. `Accept: text/csv` gets all as text. */
  "GET /sanction-reports": {
    query?: {
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: ReviewPage;
  };
  /** Find what an id belongs to, of any kind and any tenant. The role compliance finds numbers of documents, too. */
  "GET /search": {
    query: {
      /** An id, whole: ours, the caller's own, a provider's, or a trace id of a payment; or the number of a person's or company's identity document. No part of one, and no name. */
      readonly q: string;
    };
    answer: OperatorSearchResult;
  };
  /** Who the session or token is of, and what it may do. */
  "GET /session": {
    answer: UserSession;
  };
  /** List one's own sessions. Who has a static token has none. */
  "GET /sessions": {
    answer: UserSessions;
  };
  /** List the published keys. */
  "GET /signing-keys": {
    answer: SigningKeys;
  };
  /** List all tenants. */
  "GET /tenants": {
    answer: Tenants;
  };
  /** List the agents of a tenant. */
  "GET /tenants/{tenant}/agents": {
    query?: {
      /** Only in this state. */
      readonly status?: "PENDING_APPROVAL" | "ACTIVE" | "REJECTED" | "SUSPENDED" | "CLOSED";
      /** `next` of the page before. */
      readonly after?: string;
      /** How many at most. */
      readonly limit?: number;
    };
    answer: Agents;
  };
  /** List the OAuth clients of a tenant. */
  "GET /tenants/{tenant}/clients": {
    answer: OauthClients;
  };
  /** List the live API keys and client secrets of a tenant, without what is secret. */
  "GET /tenants/{tenant}/credentials": {
    answer: Credentials;
  };
  /** List a tenant's undecided documents, the oldest first. */
  "GET /tenants/{tenant}/documents": {
    query?: {
      /** Longest page. */
      readonly limit?: number;
      /** `next` of the page before. */
      readonly after?: string;
    };
    answer: ReviewedDocumentPage;
  };
  /** Read a document. */
  "GET /tenants/{tenant}/documents/{documentId}": {
    answer: ReviewedDocument;
  };
  /** Look at the file of a document. */
  "GET /tenants/{tenant}/documents/{documentId}/content": {
    answer: Uint8Array;
  };
  /** Read the events of a tenant in order, or wait for the next; nothing is missing between two pages. */
  "GET /tenants/{tenant}/events": {
    query?: {
      /** `next` of an earlier page, or `newest` for what happens from now on; the oldest event that is kept when absent. */
      readonly after?: string;
      /** Longest page. */
      readonly limit?: number;
      /** Seconds to wait for something new where there is nothing. Four requests of a tenant, or operator, may wait at once at each replica. */
      readonly wait?: number;
      /** Only events of these names, parted by commas. A page may be short, or empty, while more follow. */
      readonly types?: string;
    };
    answer: EventFeed;
  };
  /** Read a payment. */
  "GET /tenants/{tenant}/payments/{paymentId}": {
    answer: OperatorPayment;
  };
  /** Everything that happened to a payment: states, provider calls and what providers said, postings, compliance, deliveries, cases. */
  "GET /tenants/{tenant}/payments/{paymentId}/timeline": {
    answer: OperatorPaymentTimeline;
  };
  /** List the people of a tenant. */
  "GET /tenants/{tenant}/users": {
    answer: Users;
  };
  /** List the operators. */
  "GET /users": {
    answer: Users;
  };
  /** List subscriptions that have something undelivered. */
  "GET /webhooks/backlog": {
    query?: {
      /** How many at most. */
      readonly limit?: number;
    };
    answer: WebhookBacklog;
  };
  /** Disable or enable a tenant, set its allowlist or its client certificates. */
  "PATCH /tenants/{tenant}": {
    body: TenantChange;
    answer: Tenant;
  };
  /** Disable or enable an OAuth client, or set its scopes. */
  "PATCH /tenants/{tenant}/clients/{clientId}": {
    body: OauthClientChange;
    answer: OauthClient;
  };
  /** Bind other roles to one of the people of a tenant, or shut it out. You cannot change your own roles. */
  "PATCH /tenants/{tenant}/users/{userId}": {
    body: TenantPersonChange;
    answer: User;
  };
  /** Bind other roles to one of the operators, or shut it out. You cannot change your own roles. */
  "PATCH /users/{userId}": {
    body: OperatorChange;
    answer: User;
  };
  /** Agree to a command of another operator, which its asker sends again then, or refuse it. */
  "POST /approvals/{approvalId}": {
    body: ApprovalDecision;
    answer: Approval;
  };
  /** Read and handle a parked message once more; what was handled already is dropped. */
  "POST /bus/{service}/parked-messages/{stream}/{sequence}/replay": {
    answer: AskedApproval;
  };
  /** Have a service publish again everything that it published from a time on; the same id again returns how far it is. */
  "POST /bus/{service}/replays": {
    body: ReplayRequest;
    answer: Replay;
  };
  /** Carry out a command on a case. */
  "POST /cases/{caseId}/commands": {
    body: CaseCommand;
    answer: Case;
  };
  /** Put everything that a service keeps under its newest keys; the same id again returns how far it is. */
  "POST /key-rings/{service}/renewals": {
    body: KeyRenewalRequest;
    answer: KeyRenewal;
  };
  /** End a break that no later line or entry will end. */
  "POST /ledger/break-resolutions": {
    body: BreakResolution;
    answer: ResolvedBreak;
  };
  /** Post a correction or a write-off between accounts. */
  "POST /ledger/corrections": {
    body: LedgerCorrection;
    answer: LedgerCorrected;
  };
  /** Read what is new in the providers' statements, and compare; lists the first 200 breaks. */
  "POST /ledger/reconciliations": {
    answer: Reconciliation;
  };
  /** Walk the whole ledger; waits up to 3 seconds for the end. */
  "POST /ledger/verifications": {
    answer: LedgerVerification;
  };
  /** Begin a login at the identity provider (authorization code with PKCE). */
  "POST /login": {
    body: OperatorLogin;
    answer: BegunLogin;
  };
  /** Finish a login with what the identity provider sent back. Each is finished once, whatever comes of it. */
  "POST /login/answer": {
    body: LoginAnswer;
    answer: NewUserSession;
  };
  /** Begin a login without a browser of its own: the identity provider's device grant (RFC 8628). */
  "POST /login/device": {
    answer: BegunDeviceLogin;
  };
  /** Ask whether the person has logged in. Each login ends once, whatever comes of it. */
  "POST /login/device/answer": {
    body: DeviceLoginQuestion;
    answer: DeviceLogin;
  };
  /** End the hold of a currency at the rate that is true. */
  "POST /rates/{currency}/release": {
    body: RateRelease;
    answer: Market;
  };
  /** Publish the next key, which signs after the overlap. */
  "POST /signing-keys": {
    answer: SigningKey;
  };
  /** Add a tenant. */
  "POST /tenants": {
    body: TenantRequest;
    answer: Tenant;
  };
  /** Add an OAuth client; its secret is made as a credential. */
  "POST /tenants/{tenant}/clients": {
    body: OauthClientRequest;
    answer: OauthClient;
  };
  /** Make a key or secret beside the present one: an owner may have two. */
  "POST /tenants/{tenant}/credentials": {
    body: CredentialRequest;
    answer: NewCredential;
  };
  /** Accept or reject a document. A decision can be made again. */
  "POST /tenants/{tenant}/documents/{documentId}/decision": {
    body: DocumentDecision;
    answer: ReviewedDocument;
  };
  /** Find persons and companies by the number of their document, however it is spaced. */
  "POST /tenants/{tenant}/participants/search": {
    body: ParticipantSearch;
    answer: FoundParticipants;
  };
  /** Stop a payout that its rail holds; what was authorised is voided. */
  "POST /tenants/{tenant}/payments/{paymentId}/hold/rejection": {
    answer: TransactionStateNow;
  };
  /** Approve or refuse a reversal that waits. */
  "POST /tenants/{tenant}/payments/{paymentId}/reversal": {
    body: ReversalDecision;
    answer: ReversalDecided;
  };
  /** Approve or reject what is reviewed, or block a payment. */
  "POST /tenants/{tenant}/reviews/{reviewId}": {
    body: ReviewDecision;
    answer: Review;
  };
  /** Let a blocked payment go on, refuse it, or send its money where an authority orders. Takes two people. */
  "POST /tenants/{tenant}/reviews/{reviewId}/release": {
    body: BlockedRelease;
    answer: Review;
  };
  /** Note that the authority was notified. */
  "POST /tenants/{tenant}/reviews/{reviewId}/report": {
    body: FiledReport;
    answer: Review;
  };
  /** Invite one of the people of a tenant by e-mail address. */
  "POST /tenants/{tenant}/users": {
    body: TenantPersonInvitation;
    answer: User;
  };
  /** Invite one of the operators by e-mail address. */
  "POST /users": {
    body: OperatorInvitation;
    answer: User;
  };
  /** Set or remove the limit of the position in a currency. */
  "PUT /fx/exposure/{currency}/limit": {
    body: ExposureLimitRequest;
    answer: ExposureLimitSet;
  };
  /** Set how far promises may take a tenant's funding. */
  "PUT /ledger/floors": {
    body: FloorRequest;
    answer: FloorSet;
  };
  /** Approve, reject, suspend or close an agent. */
  "PUT /tenants/{tenant}/agents/{agentId}/status": {
    body: AgentStatusRequest;
    answer: Agent;
  };
  /** Bind a key or secret to scopes, addresses and an end; what is left out is not bound. In force at once. */
  "PUT /tenants/{tenant}/credentials/{credentialId}/bounds": {
    body: CredentialBounds;
    answer: Credential;
  };
  /** Freeze, activate or close a wallet. */
  "PUT /tenants/{tenant}/wallets/{walletId}/status": {
    body: WalletStatusRequest;
    answer: WalletStatusChange;
  };
}

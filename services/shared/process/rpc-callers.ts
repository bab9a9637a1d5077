/** The two Deployments of the gateway: one for programs and operators, and one for the console, where it is separate. */
const doors = ["gateway", "console"] as const;

/**
 * The callers that each method accepts: service of the contract → method → names of the callers. A method that is not listed may not be
 * called.
 */
export const rpcCallers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "corridor.auth.v1.ApprovalService": {
    AskApproval: doors,
    ListApprovals: doors,
    GetApproval: doors,
    DecideApproval: doors,
    SpendApproval: doors,
  },
  "corridor.auth.v1.AuditService": {
    AppendAuditRecords: doors,
    ListAuditRecords: doors,
    VerifyAudit: doors,
  },
  "corridor.auth.v1.AuthService": {
    IssueToken: ["gateway"],
    RevokeToken: ["gateway"],
    GetKeySet: ["gateway"],
    AuthenticateKey: ["gateway"],
    GetAccessRules: doors,
    CreateAgent: doors,
    LeaseTokens: doors,
  },
  "corridor.auth.v1.DirectoryService": {
    CreateTenant: doors,
    ListTenants: doors,
    ChangeTenant: doors,
    CreateClient: doors,
    ListClients: doors,
    ChangeClient: doors,
    CreateCredential: doors,
    ListCredentials: doors,
    RevokeCredential: doors,
    SetCredentialBounds: doors,
    ListAgents: doors,
    ChangeAgentStatus: doors,
    ListSigningKeys: doors,
    RotateSigningKey: doors,
    RevokeSigningKey: doors,
  },
  "corridor.auth.v1.PeopleService": {
    BeginLogin: doors,
    FinishLogin: doors,
    BeginDeviceLogin: doors,
    AskDeviceLogin: doors,
    AuthenticatePerson: doors,
    OpenLocalSession: doors,
    EndSession: doors,
    ListSessions: doors,
    EndUserSession: doors,
    InviteUser: doors,
    ListUsers: doors,
    ChangeUser: doors,
    EndUserSessions: doors,
  },
  "corridor.common.v1.BusService": {
    ListParkedMessages: [...doors, "payment"],
    ReplayParkedMessage: doors,
    ReplaySpan: doors,
    ListGaps: doors,
    ListLeases: doors,
  },
  "corridor.common.v1.KeyService": {
    GetKeyRings: doors,
    RenewKeys: doors,
  },
  "corridor.common.v1.SearchService": {
    Find: doors,
  },
  "corridor.fx.v1.ExposureService": {
    GetExposure: doors,
    SetExposureLimit: doors,
  },
  "corridor.fx.v1.FxService": {
    CreateQuote: [...doors, "payment"],
    GetQuote: [...doors, "payment"],
    ListQuotes: doors,
    QuotePayment: ["payment"],
    GetRate: ["payment"],
  },
  "corridor.fx.v1.MarginService": {
    GetMargin: doors,
    ListConversions: doors,
  },
  "corridor.fx.v1.RateService": {
    ListRates: doors,
    ReleaseRate: doors,
  },
  "corridor.payment.v1.CaseService": {
    OpenCase: ["wallet"],
    ListCases: doors,
    GetCase: doors,
    CommandCase: doors,
  },
  "corridor.payment.v1.CheckService": {
    CreateLinkToken: doors,
    CheckAccount: doors,
    ValidateAccountCheck: doors,
    RevokeAccountToken: doors,
    CheckCard: doors,
    GetBalances: doors,
  },
  "corridor.payment.v1.PaymentListService": {
    ListPayments: doors,
    FindPayments: doors,
    SumOpenConversions: ["fx"],
    FindConversions: ["fx"],
  },
  "corridor.payment.v1.PaymentService": {
    AcceptPayment: doors,
    ValidatePayment: doors,
    GetPayment: doors,
    CapturePayment: doors,
    VoidPayment: doors,
    RefundPayment: doors,
    ReceiveCallback: ["gateway"],
    CancelPayment: doors,
    DecideReversal: doors,
    ListHolds: doors,
    RejectHold: doors,
    ListTransactions: doors,
    GetTransaction: doors,
    SetTransactionMetadata: doors,
    GetLimits: doors,
    GetQuoteUse: doors,
    QuotePayout: doors,
    AddPayoutAccount: doors,
    ListPayoutAccounts: doors,
    GetTimeline: doors,
  },
  "corridor.schema.v1.SchemaService": {
    GetSchema: [...doors, "payment"],
    ListSchemas: [...doors, "payment"],
    GetPersonSchema: doors,
    GetForm: doors,
    ListDestinations: ["fx", ...doors],
    GetBank: doors,
    ListBanks: doors,
    ListBankDirectories: doors,
    CheckNumbers: ["payment", "identity"],
  },
  "corridor.wallet.v1.MovementService": {
    GetTransaction: doors,
    GetTransfer: doors,
    ListMovements: doors,
  },
  "corridor.wallet.v1.WalletService": {
    CreateWallet: doors,
    GetWallet: doors,
    ListWallets: doors,
    GetBalance: doors,
    GetStatement: doors,
    CreateTransaction: doors,
    CheckTransaction: doors,
    ConfirmTransaction: doors,
    VoidTransaction: doors,
    CreateTransfer: doors,
    CheckTransfer: doors,
    VoidTransfer: doors,
    FindPayoutWallet: ["payment"],
    CreditPayout: ["payment"],
    CancelPayout: ["payment"],
    FindPayout: ["payment"],
    ChangeWalletStatus: doors,
    GetTrialBalance: doors,
    GetAccountBalances: ["fx"],
    FindPostings: ["fx", "payment"],
    VerifyLedger: doors,
    ReconcileProviders: doors,
    PostCorrection: [...doors, "payment"],
    GetEntry: [...doors, "payment"],
    ListEntries: [...doors, "payment", "fx"],
    TakePromiseBlock: ["payment"],
    ReturnPromiseBlock: ["payment"],
    ListPromiseBlocks: [...doors, "payment"],
    GetPromises: [...doors, "payment"],
    SetFloor: doors,
    ListBreaks: doors,
    ResolveBreak: doors,
    GetDailyProof: doors,
  },
  "corridor.webhook.v1.WebhookService": {
    CreateSubscription: doors,
    ListBacklog: doors,
    ListSubscriptions: doors,
    DeleteSubscription: doors,
    RotateSecret: doors,
    DeleteSecret: doors,
    ListDeliveries: doors,
    GetDelivery: doors,
    Redeliver: doors,
    Recover: doors,
    SendTest: doors,
    ListEvents: doors,
  },
  "corridor.identity.v1.KycService": {
    CreateSession: doors,
    GetSession: doors,
    CreateVerification: doors,
    GetVerification: doors,
    ReceiveKycReport: ["gateway"],
  },
  "corridor.identity.v1.DecisionService": {
    DecidePayment: ["payment"],
    ReceiveScreeningReport: ["gateway"],
  },
  "corridor.identity.v1.ReviewService": {
    ListReviews: doors,
    GetReview: doors,
    DecideReview: doors,
    ReleaseBlocked: doors,
    ListReports: doors,
    FileReport: doors,
    ListExceptions: doors,
    RevokeException: doors,
  },
  "corridor.identity.v1.DocumentService": {
    UploadDocument: doors,
    ListDocuments: doors,
    GetDocument: doors,
    ReadDocumentPart: doors,
    ListPendingDocuments: doors,
    DecideDocument: doors,
    ReceiveDocumentReport: ["gateway"],
  },
  "corridor.identity.v1.IdentityService": {
    RegisterPerson: doors,
    ValidatePerson: doors,
    CheckPerson: doors,
    CreateParticipant: doors,
    UpdateParticipant: doors,
    GetParticipant: [...doors, "payment"],
    FindParticipants: doors,
    ListParticipants: doors,
    ListErasures: doors,
    EraseParticipant: doors,
    GetComplianceLevels: doors,
    CheckAddress: doors,
  },
};

/** True when one of the caller's names may call the method, `/<service>/<method>`. */
export function mayCall(path: string, names: readonly string[]): boolean {
  const [, service = "", method = ""] = path.split("/");
  const callers = rpcCallers[service]?.[method] ?? [];
  return callers.some((caller) => names.includes(caller));
}

/** A host `<release>-<service>[.<namespace>.svc]`, split into the service and the rest, which identifies the release. */
interface ServiceHost {
  service: string;
  release: string;
  labels: number;
}

function serviceHosts(subjectAltNames: string | undefined): ServiceHost[] {
  const hosts = (subjectAltNames ?? "").split(", ").flatMap((name) => (name.startsWith("DNS:") ? [name.slice(4)] : []));
  return hosts.map((host) => {
    const [label = "", ...domain] = host.toLowerCase().split(".");
    const at = label.lastIndexOf("-");
    const release = [label.slice(0, Math.max(at, 0)), ...domain].join(".");
    return { service: label.slice(at + 1), release, labels: domain.length + 1 };
  });
}

/** The callers that a service accepts: those of its own release and namespace, by its own certificate. */
export type Release = ReadonlySet<string>;

/** The release of a certificate's longest names: a short name could belong to another namespace. */
export function releaseOf(subjectAltNames: string | undefined): Release {
  const hosts = serviceHosts(subjectAltNames);
  const most = Math.max(0, ...hosts.map(({ labels }) => labels));
  return new Set(hosts.filter(({ labels }) => labels === most).map(({ release }) => release));
}

/** Service names in the caller's certificate that belong to the release. */
export const namesOf = (subjectAltNames: string | undefined, release: Release): readonly string[] =>
  serviceHosts(subjectAltNames)
    .filter((host) => release.has(host.release))
    .map(({ service }) => service);

/** Who may call which method: service of the contract → method → names of the callers. A method that is not listed may not be called. */
export const rpcCallers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "corridor.auth.v1.ApprovalService": {
    AskApproval: ["gateway"],
    ListApprovals: ["gateway"],
    GetApproval: ["gateway"],
    DecideApproval: ["gateway"],
    SpendApproval: ["gateway"],
  },
  "corridor.auth.v1.AuditService": {
    AppendAuditRecords: ["gateway"],
    ListAuditRecords: ["gateway"],
    VerifyAudit: ["gateway"],
  },
  "corridor.auth.v1.AuthService": {
    IssueToken: ["gateway"],
    RevokeToken: ["gateway"],
    GetKeySet: ["gateway"],
    AuthenticateKey: ["gateway"],
    GetAccessRules: ["gateway"],
    CreateAgent: ["gateway"],
    LeaseTokens: ["gateway"],
  },
  "corridor.auth.v1.DirectoryService": {
    CreateTenant: ["gateway"],
    ListTenants: ["gateway"],
    ChangeTenant: ["gateway"],
    CreateClient: ["gateway"],
    ListClients: ["gateway"],
    ChangeClient: ["gateway"],
    CreateCredential: ["gateway"],
    ListCredentials: ["gateway"],
    RevokeCredential: ["gateway"],
    SetCredentialBounds: ["gateway"],
    ListAgents: ["gateway"],
    ChangeAgentStatus: ["gateway"],
    ListSigningKeys: ["gateway"],
    RotateSigningKey: ["gateway"],
    RevokeSigningKey: ["gateway"],
  },
  "corridor.auth.v1.PeopleService": {
    BeginLogin: ["gateway"],
    FinishLogin: ["gateway"],
    AuthenticatePerson: ["gateway"],
    OpenLocalSession: ["gateway"],
    EndSession: ["gateway"],
    ListSessions: ["gateway"],
    EndUserSession: ["gateway"],
    InviteUser: ["gateway"],
    ListUsers: ["gateway"],
    ChangeUser: ["gateway"],
    EndUserSessions: ["gateway"],
  },
  "corridor.common.v1.BusService": {
    ListParkedMessages: ["gateway", "payment"],
    ReplayParkedMessage: ["gateway"],
    ReplaySpan: ["gateway"],
    ListGaps: ["gateway"],
    ListLeases: ["gateway"],
  },
  "corridor.common.v1.KeyService": {
    GetKeyRings: ["gateway"],
    RenewKeys: ["gateway"],
  },
  "corridor.common.v1.SearchService": {
    Find: ["gateway"],
  },
  "corridor.fx.v1.FxService": {
    CreateQuote: ["gateway", "payment"],
    GetQuote: ["gateway", "payment"],
    ListQuotes: ["gateway"],
    QuotePayment: ["payment"],
    GetRate: ["payment"],
  },
  "corridor.fx.v1.RateService": {
    ListRates: ["gateway"],
    ReleaseRate: ["gateway"],
  },
  "corridor.payment.v1.CaseService": {
    OpenCase: ["wallet"],
    ListCases: ["gateway"],
    GetCase: ["gateway"],
    CommandCase: ["gateway"],
  },
  "corridor.payment.v1.CheckService": {
    CreateLinkToken: ["gateway"],
    CheckAccount: ["gateway"],
    ValidateAccountCheck: ["gateway"],
    RevokeAccountToken: ["gateway"],
    CheckCard: ["gateway"],
    GetBalances: ["gateway"],
  },
  "corridor.payment.v1.PaymentListService": {
    ListPayments: ["gateway"],
    FindPayments: ["gateway"],
  },
  "corridor.payment.v1.PaymentService": {
    AcceptPayment: ["gateway"],
    ValidatePayment: ["gateway"],
    GetPayment: ["gateway"],
    CapturePayment: ["gateway"],
    VoidPayment: ["gateway"],
    RefundPayment: ["gateway"],
    ReceiveCallback: ["gateway"],
    CancelPayment: ["gateway"],
    DecideReversal: ["gateway"],
    ListHolds: ["gateway"],
    RejectHold: ["gateway"],
    ListTransactions: ["gateway"],
    GetTransaction: ["gateway"],
    SetTransactionMetadata: ["gateway"],
    GetLimits: ["gateway"],
    GetQuoteUse: ["gateway"],
    QuotePayout: ["gateway"],
    AddPayoutAccount: ["gateway"],
    ListPayoutAccounts: ["gateway"],
    GetTimeline: ["gateway"],
  },
  "corridor.schema.v1.SchemaService": {
    GetSchema: ["gateway", "payment"],
    ListSchemas: ["gateway", "payment"],
    GetPersonSchema: ["gateway"],
    ListDestinations: ["fx", "gateway"],
    GetBank: ["gateway"],
    ListBanks: ["gateway"],
    ListBankDirectories: ["gateway"],
    CheckNumbers: ["payment", "identity"],
  },
  "corridor.wallet.v1.MovementService": {
    GetTransaction: ["gateway"],
    GetTransfer: ["gateway"],
    ListMovements: ["gateway"],
  },
  "corridor.wallet.v1.WalletService": {
    CreateWallet: ["gateway"],
    GetWallet: ["gateway"],
    ListWallets: ["gateway"],
    GetBalance: ["gateway"],
    GetStatement: ["gateway"],
    CreateTransaction: ["gateway"],
    CheckTransaction: ["gateway"],
    ConfirmTransaction: ["gateway"],
    VoidTransaction: ["gateway"],
    CreateTransfer: ["gateway"],
    CheckTransfer: ["gateway"],
    VoidTransfer: ["gateway"],
    FindPayoutWallet: ["payment"],
    CreditPayout: ["payment"],
    CancelPayout: ["payment"],
    FindPayout: ["payment"],
    ChangeWalletStatus: ["gateway"],
    GetTrialBalance: ["gateway"],
    VerifyLedger: ["gateway"],
    ReconcileProviders: ["gateway"],
    PostCorrection: ["gateway", "payment"],
    GetEntry: ["gateway", "payment"],
    ListEntries: ["gateway", "payment"],
    TakePromiseBlock: ["payment"],
    ReturnPromiseBlock: ["payment"],
    ListPromiseBlocks: ["gateway", "payment"],
    GetPromises: ["gateway", "payment"],
    SetFloor: ["gateway"],
    ListBreaks: ["gateway"],
    ResolveBreak: ["gateway"],
    GetDailyProof: ["gateway"],
  },
  "corridor.webhook.v1.WebhookService": {
    CreateSubscription: ["gateway"],
    ListBacklog: ["gateway"],
    ListSubscriptions: ["gateway"],
    DeleteSubscription: ["gateway"],
    RotateSecret: ["gateway"],
    DeleteSecret: ["gateway"],
    ListDeliveries: ["gateway"],
    GetDelivery: ["gateway"],
    Redeliver: ["gateway"],
    Recover: ["gateway"],
    SendTest: ["gateway"],
    ListEvents: ["gateway"],
  },
  "corridor.identity.v1.KycService": {
    CreateSession: ["gateway"],
    GetSession: ["gateway"],
    CreateVerification: ["gateway"],
    GetVerification: ["gateway"],
    ReceiveKycReport: ["gateway"],
  },
  "corridor.identity.v1.DecisionService": {
    DecidePayment: ["payment"],
    ReceiveScreeningReport: ["gateway"],
  },
  "corridor.identity.v1.ReviewService": {
    ListReviews: ["gateway"],
    GetReview: ["gateway"],
    DecideReview: ["gateway"],
    ReleaseBlocked: ["gateway"],
    ListReports: ["gateway"],
    FileReport: ["gateway"],
    ListExceptions: ["gateway"],
    RevokeException: ["gateway"],
  },
  "corridor.identity.v1.DocumentService": {
    UploadDocument: ["gateway"],
    ListDocuments: ["gateway"],
    GetDocument: ["gateway"],
    ReadDocumentPart: ["gateway"],
    ListPendingDocuments: ["gateway"],
    DecideDocument: ["gateway"],
    ReceiveDocumentReport: ["gateway"],
  },
  "corridor.identity.v1.IdentityService": {
    RegisterPerson: ["gateway"],
    ValidatePerson: ["gateway"],
    CheckPerson: ["gateway"],
    CreateParticipant: ["gateway"],
    UpdateParticipant: ["gateway"],
    GetParticipant: ["gateway", "payment"],
    FindParticipants: ["gateway"],
    ListParticipants: ["gateway"],
    ListErasures: ["gateway"],
    EraseParticipant: ["gateway"],
    GetComplianceLevels: ["gateway"],
    CheckAddress: ["gateway"],
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

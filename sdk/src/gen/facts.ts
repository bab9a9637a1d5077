// Made from the gateway's route tables by `npm run sdk`. Do not edit.

/** Which credential an operation takes, whether it may be sent again, its body, and what answers it. */
export const operations = {
  "DELETE /account-tokens/{accountTokenId}": "bearer always",
  "DELETE /organizations/{tenant}/credentials/{credentialId}": "person always",
  "DELETE /organizations/{tenant}/users/{userId}/sessions": "person always",
  "DELETE /organizations/{tenant}/webhooks/{webhookId}": "tenant always",
  "DELETE /organizations/{tenant}/webhooks/{webhookId}/secret": "agent always",
  "DELETE /session": "person always",
  "DELETE /sessions/{sessionId}": "person always",
  "GET /.well-known/jwks.json": "none always",
  "GET /.well-known/oauth-authorization-server": "none always",
  "GET /.well-known/transaction-states.json": "none always",
  "GET /addresses/check": "tenant always",
  "GET /bank": "bearer always",
  "GET /bank/list": "bearer always",
  "GET /companies/{id}/documents": "tenant always",
  "GET /companies/{id}/documents/{document}": "tenant always",
  "GET /companies/{id}/documents/{document}/content": "tenant always bytes",
  "GET /fx/transactions": "agent always",
  "GET /fx/transactions/limits": "agent always",
  "GET /fx/transactions/{id}": "agent always",
  "GET /fx/transactions/{id}/history": "agent always",
  "GET /healthz": "none always",
  "GET /openapi.json": "none always open",
  "GET /organizations/{tenant}/agents": "tenant always",
  "GET /organizations/{tenant}/clients": "person always",
  "GET /organizations/{tenant}/companies": "tenant always",
  "GET /organizations/{tenant}/companies/{companyId}": "tenant always",
  "GET /organizations/{tenant}/credentials": "person always",
  "GET /organizations/{tenant}/deliveries": "tenant always",
  "GET /organizations/{tenant}/events": "tenant always",
  "GET /organizations/{tenant}/people": "tenant always",
  "GET /organizations/{tenant}/people/{personId}": "tenant always",
  "GET /organizations/{tenant}/users": "person always",
  "GET /organizations/{tenant}/webhooks": "tenant always",
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries": "tenant always",
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}": "tenant always",
  "GET /participants/{id}/complianceLevels": "tenant always",
  "GET /payer/balance": "bearer always",
  "GET /payments/{externalPaymentId}": "bearer always",
  "GET /payout/participants/{id}/fundingAccounts": "agent always",
  "GET /payout/participants/{id}/recipientAccounts/gateway": "agent always",
  "GET /people/{id}/documents": "tenant always",
  "GET /people/{id}/documents/{document}": "tenant always",
  "GET /people/{id}/documents/{document}/content": "tenant always bytes",
  "GET /readyz": "none always",
  "GET /reference/banks": "agent always",
  "GET /reference/destinations": "agent always",
  "GET /reference/schemas": "agent always",
  "GET /schema/person": "bearer always open",
  "GET /schema/{countryCode}": "bearer always open",
  "GET /schema/{countryCode}/form": "bearer always",
  "GET /search": "bearer always",
  "GET /session": "person always",
  "GET /sessions": "person always",
  "GET /v1/sessions/{sessionId}": "bearer always",
  "GET /v1/verifications/{verificationId}": "bearer always",
  "GET /v2/foreign-exchange": "bearer always",
  "GET /v2/foreign-exchange/{fxId}": "bearer always",
  "GET /v2/payment/{externalId}": "bearer always",
  "GET /v2/payment/{externalId}/timeline": "bearer always",
  "GET /v2/payments": "bearer always",
  "GET /wallet-transactions/{transactionId}": "bearer always",
  "GET /wallet-transfers/{externalTransferId}": "bearer always",
  "GET /wallets": "bearer always",
  "GET /wallets/transactions": "bearer always",
  "GET /wallets/{walletId}": "bearer always",
  "GET /wallets/{walletId}/balance": "bearer always",
  "GET /wallets/{walletId}/statement": "bearer always",
  "PATCH /companies/{id}": "tenant never json",
  "PATCH /organizations/{tenant}/clients/{clientId}": "person never json",
  "PATCH /organizations/{tenant}/users/{userId}": "person never json",
  "PATCH /people/{id}": "tenant never json",
  "POST /check-account": "bearer byId json",
  "POST /companies": "tenant never json",
  "POST /companies/{id}/documents/{document}": "tenant byId file",
  "POST /foreign-exchange": "bearer always json",
  "POST /fx/transactions": "agent byId json",
  "POST /fx/transactions/{id}/cancel": "agent always",
  "POST /login": "none never json",
  "POST /login/answer": "none never json",
  "POST /login/device": "none never json",
  "POST /login/device/answer": "none never json",
  "POST /oauth/revoke": "none always form",
  "POST /oauth/token": "none always form",
  "POST /organizations/{tenant}/agents": "tenant never json",
  "POST /organizations/{tenant}/clients": "person never json",
  "POST /organizations/{tenant}/credentials": "person never json",
  "POST /organizations/{tenant}/users": "person never json",
  "POST /organizations/{tenant}/webhooks": "tenant never json",
  "POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": "tenant never",
  "POST /organizations/{tenant}/webhooks/{webhookId}/recover": "tenant never json",
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret": "agent never",
  "POST /organizations/{tenant}/webhooks/{webhookId}/test": "tenant never",
  "POST /payments/{externalPaymentId}/capture": "bearer byId json",
  "POST /payments/{externalPaymentId}/refund": "bearer byId json",
  "POST /payments/{externalPaymentId}/void": "bearer byId",
  "POST /payout/participants/{id}/fundingAccounts": "agent never json",
  "POST /payout/participants/{id}/recipientAccounts/gateway": "agent never json",
  "POST /payout/quotes": "agent always json",
  "POST /people": "tenant never json",
  "POST /people/{id}/documents/{document}": "tenant byId file",
  "POST /person": "bearer never json",
  "POST /person/validate": "bearer always json",
  "POST /providers/{linker}": "bearer never json",
  "POST /v1/sessions": "bearer never json",
  "POST /v1/verifications": "bearer never json",
  "POST /v2/check-card-account": "bearer never json",
  "POST /v2/foreign-exchange": "bearer always json",
  "POST /v2/payment": "bearer byId json",
  "POST /v2/payment/validate": "bearer always json",
  "POST /wallets": "bearer never json",
  "POST /wallets/transaction": "bearer byId json",
  "POST /wallets/transaction/{transactionId}/confirm": "bearer byId",
  "POST /wallets/transaction/{transactionId}/void": "bearer byId",
  "POST /wallets/transfer": "bearer byId json",
  "POST /wallets/transfer/{externalTransferId}/void": "bearer byId",
  "PUT /fx/transactions/{id}/metadata": "agent always json",
  "PUT /organizations/{tenant}/credentials/{credentialId}/bounds": "person always json",
} as const;

/** Members that are exact numbers: texts of digits here, numbers on the wire. */
export const exactMembers: ReadonlySet<string> = new Set(["amount","amountRequested","available","availableBalance","balance","balanceAfter","capturedAmount","conversionRate","exchangeRate","heldBalance","left","limit","limitPerSecond","midRate","refundedAmount","requestedAmount","required","share","sourceCurrencyAmount","total","totalBalance","used"]);

/** Members whose content is the caller's own. */
export const ownMembers: ReadonlySet<string> = new Set(["additionalData","additionalInfo","metadata"]);

/** Currencies and other assets by their number of decimals. */
export const digitsOfAssets: Readonly<Record<number, string>> = {"0":"BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD XPF XPT XSU XTS XUA XXX","2":"AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW ZWG","3":"BHD IQD JOD KWD LYD OMR TND","4":"CLF UYW","6":"ADA EURC PYUSD TRX USDC USDP USDT XRP","7":"XLM","8":"BCH BTC DAI DOGE DOT ETH LTC SOL"};

/** Codes of refusals. */
export type ErrorCode =
  | "AGT_404"
  | "AGT_409"
  | "AUTH_001"
  | "AUTH_002"
  | "AUTH_003"
  | "AUTH_004"
  | "AUTH_005"
  | "AUTH_006"
  | "AUTH_007"
  | "BNK_404"
  | "DOC_404"
  | "FX_404"
  | "IDM_001"
  | "IDM_002"
  | "KYC_404"
  | "OPS_404"
  | "OPS_409"
  | "PAY_001"
  | "PAY_005"
  | "PAY_271"
  | "PAY_404"
  | "PAY_409"
  | "PAY_410"
  | "PAY_411"
  | "PAY_412"
  | "PAY_413"
  | "PER_404"
  | "PER_412"
  | "REQ_404"
  | "REQ_405"
  | "REQ_413"
  | "REQ_415"
  | "RL_001"
  | "SYS_500"
  | "SYS_503"
  | "TX_001"
  | "TX_404"
  | "VE_001"
  | "WAL_001"
  | "WAL_002"
  | "WAL_003"
  | "WAL_004"
  | "WAL_005"
  | "WAL_006"
  | "WAL_404"
  | "WH_404"
  | "access_denied"
  | "invalid_client"
  | "invalid_request"
  | "invalid_scope"
  | "server_error"
  | "temporarily_unavailable"
  | "unsupported_grant_type";

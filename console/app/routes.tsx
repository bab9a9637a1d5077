import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { text } from "../text/text";
import { Loading, PageHead } from "../ui/page";
import type { Me } from "./me";
import { homeOf } from "./places";
import type { Search } from "./search";
import { Shell } from "./shell";

const ProblemNote = lazy(async () => ({ default: (await import("../ui/problem-note")).ProblemNote }));

const readSearch = (raw: Readonly<Record<string, unknown>>): Search =>
  Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? [[name, String(value)] as const]
        : [],
    ),
  );

const root = createRootRouteWithContext<{ me: Me }>()({
  component: Shell,
  validateSearch: readSearch,
  notFoundComponent: () => (
    <PageHead title={text.page.missing} name={text.page.missing} lead={text.page.missingLead}>
      <Link to="/" className="button">
        {text.page.home}
      </Link>
    </PageHead>
  ),
  errorComponent: ({ error, reset }) => (
    <Suspense>
      <ProblemNote error={error} retry={reset} />
    </Suspense>
  ),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: ({ context }) => {
    redirect({ to: homeOf(context.me), replace: true, throw: true });
  },
});

/** Part of the address with which a login returns. */
const logIn = createRoute({
  getParentRoute: () => root,
  path: "/login",
  beforeLoad: ({ context }) => {
    redirect({ to: homeOf(context.me), replace: true, throw: true });
  },
});

/** One page; its code is fetched at the first visit. */
const page = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });

const pages = [
  page(
    "/home",
    lazyRouteComponent(() => import("../pages/home/home-page"), "HomePage"),
  ),
  page(
    "/payments",
    lazyRouteComponent(() => import("../pages/payments/payments-page"), "PaymentsPage"),
  ),
  page(
    "/payments/$externalId",
    lazyRouteComponent(() => import("../pages/payment/payment-page"), "PaymentPage"),
  ),
  page(
    "/payouts/new",
    lazyRouteComponent(() => import("../pages/payout/payout-page"), "PayoutPage"),
  ),
  page(
    "/quotes",
    lazyRouteComponent(() => import("../pages/quotes/quotes-page"), "QuotesPage"),
  ),
  page(
    "/quotes/$fxId",
    lazyRouteComponent(() => import("../pages/quote/quote-page"), "QuotePage"),
  ),
  page(
    "/wallets",
    lazyRouteComponent(() => import("../pages/wallets/wallets-page"), "WalletsPage"),
  ),
  page(
    "/wallets/$walletId",
    lazyRouteComponent(() => import("../pages/wallet/wallet-page"), "WalletPage"),
  ),
  page(
    "/people",
    lazyRouteComponent(() => import("../pages/people/people-page"), "PeoplePage"),
  ),
  page(
    "/people/$personId",
    lazyRouteComponent(() => import("../pages/person/person-page"), "PersonPage"),
  ),
  page(
    "/companies/$companyId",
    lazyRouteComponent(() => import("../pages/person/person-page"), "CompanyPage"),
  ),
  page(
    "/webhooks",
    lazyRouteComponent(() => import("../pages/webhooks/webhooks-page"), "WebhooksPage"),
  ),
  page(
    "/webhooks/$webhookId",
    lazyRouteComponent(() => import("../pages/endpoint/endpoint-page"), "EndpointPage"),
  ),
  page(
    "/webhooks/$webhookId/$deliveryId",
    lazyRouteComponent(() => import("../pages/delivery/delivery-page"), "DeliveryPage"),
  ),
  page(
    "/developers",
    lazyRouteComponent(() => import("../pages/developers/developers-page"), "DevelopersPage"),
  ),
  page(
    "/keys",
    lazyRouteComponent(() => import("../pages/keys/keys-page"), "KeysPage"),
  ),
  page(
    "/team",
    lazyRouteComponent(() => import("../pages/team/team-page"), "TeamPage"),
  ),
  page(
    "/desk",
    lazyRouteComponent(() => import("../pages/desk/desk-page"), "DeskPage"),
  ),
  page(
    "/desk/payments",
    lazyRouteComponent(() => import("../pages/operator-payments/operator-payments-page"), "OperatorPaymentsPage"),
  ),
  page(
    "/desk/payments/$tenant/$paymentId",
    lazyRouteComponent(() => import("../pages/operator-payment/operator-payment-page"), "OperatorPaymentPage"),
  ),
  page(
    "/desk/cases",
    lazyRouteComponent(() => import("../pages/cases/cases-page"), "CasesPage"),
  ),
  page(
    "/desk/cases/$caseId",
    lazyRouteComponent(() => import("../pages/case/case-page"), "CasePage"),
  ),
  page(
    "/desk/reviews",
    lazyRouteComponent(() => import("../pages/reviews/reviews-page"), "ReviewsPage"),
  ),
  page(
    "/desk/reviews/$reviewId",
    lazyRouteComponent(() => import("../pages/review/review-page"), "ReviewPage"),
  ),
  page(
    "/desk/documents",
    lazyRouteComponent(() => import("../pages/documents/documents-page"), "DocumentsPage"),
  ),
  page(
    "/desk/documents/$tenant/$documentId",
    lazyRouteComponent(() => import("../pages/document/document-page"), "DocumentPage"),
  ),
  page(
    "/desk/approvals",
    lazyRouteComponent(() => import("../pages/approvals/approvals-page"), "ApprovalsPage"),
  ),
  page(
    "/desk/approvals/$approvalId",
    lazyRouteComponent(() => import("../pages/approval/approval-page"), "ApprovalPage"),
  ),
  page(
    "/desk/ledger",
    lazyRouteComponent(() => import("../pages/ledger/ledger-page"), "LedgerPage"),
  ),
  page(
    "/desk/tenants",
    lazyRouteComponent(() => import("../pages/tenants/tenants-page"), "TenantsPage"),
  ),
  page(
    "/desk/tenants/$tenant",
    lazyRouteComponent(() => import("../pages/tenant/tenant-page"), "TenantPage"),
  ),
  page(
    "/desk/audit",
    lazyRouteComponent(() => import("../pages/audit/audit-page"), "AuditPage"),
  ),
  page(
    "/desk/health",
    lazyRouteComponent(() => import("../pages/health/health-page"), "HealthPage"),
  ),
];

/** The addresses. A new page is a new folder under `pages/`, a row here, and a row in the places. */
export const makeAppRouter = () =>
  createRouter({
    routeTree: root.addChildren([home, logIn, ...pages]),
    context: { me: undefined as unknown as Me },
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultPreload: "intent",
    scrollRestoration: true,
    // Addresses are read by people: `?status=PENDING`, not quoted JSON.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const kept = Object.entries(search).flatMap(([name, value]) =>
        value === undefined || value === "" ? [] : [[name, String(value)]],
      );
      return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
    },
  });

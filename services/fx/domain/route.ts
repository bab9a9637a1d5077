import { DomainError } from "../../shared/errors";
import type { PaymentMethod } from "./pricing";

/** What is offered towards one country. */
export interface Route {
  sourceCurrencies: readonly string[];
  destinationCurrencies: readonly string[];
  paymentMethods: readonly string[];
}

/** Routes by ISO 3166-1 alpha-3 code of the destination. */
export type Routes = ReadonlyMap<string, Route>;

/** What a quote is asked for. */
export interface QuoteRequest {
  tenant: string;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  /** Absent: any country. */
  destinationCountry: string | undefined;
}

/** Refuses what no route towards the country offers. Without a country every pair with a rate is quoted. */
export function requireRoute(routes: Routes, request: QuoteRequest): void {
  if (request.destinationCountry === undefined) return;
  const route = routes.get(request.destinationCountry);
  const isOffered =
    route?.sourceCurrencies.includes(request.sourceCurrency) === true &&
    route.destinationCurrencies.includes(request.destinationCurrency) &&
    route.paymentMethods.includes(request.paymentMethod);
  if (!isOffered) throw new DomainError("NO_ROUTE", "no route for this payment method on this corridor");
}

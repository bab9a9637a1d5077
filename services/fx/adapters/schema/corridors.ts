import type { SchemaServiceService } from "../../../../proto/gen/corridor/schema/v1/schema_service";
import { monotonicMs } from "../../../shared/kernel/clock";
import { errorFields, type Logger } from "../../../shared/process/logger";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { PaymentMethod } from "../../domain/pricing";
import type { Corridor } from "../../domain/route";
import type { Corridors } from "../../ports";

/** How long an answer is used before the schema service is asked again. */
const freshMs = 60_000;

/** Quote methods by the payment methods of the schemas. */
const kinds = new Map<string, PaymentMethod>([
  ["BANK_DEPOSIT", "BANK_ACCOUNT"],
  ["PIX", "BANK_ACCOUNT"],
  ["WALLET", "WALLET"],
  ["CARD", "CARD"],
]);

/**
 * Serves the corridors of the schema service, read again once a minute. While the service is unavailable the last answer
 * holds; before the first answer, `find` throws what the call threw.
 */
export function makeCorridors(
  client: Pick<Rpc<typeof SchemaServiceService>, "listDestinations">,
  logger: Logger,
): Corridors {
  let known: { corridors: ReadonlyMap<string, Corridor>; atMs: number } | undefined;
  let asking: Promise<ReadonlyMap<string, Corridor>> | undefined;

  const quotedAs = (type: string): PaymentMethod | undefined => {
    const method = kinds.get(type);
    if (method === undefined)
      logger.warn({ type }, "a payment method of the schemas is not quoted, because it is unknown");
    return method;
  };
  const ask = async (): Promise<ReadonlyMap<string, Corridor>> => {
    const { destinations } = await client.listDestinations({});
    const corridors = new Map(
      destinations.map(({ countryCodeAlpha3, currencies, methods }) => [
        countryCodeAlpha3,
        { currencies, paymentMethods: methods.flatMap(({ type }) => quotedAs(type) ?? []) },
      ]),
    );
    known = { corridors, atMs: monotonicMs() };
    return corridors;
  };
  const askOnce = (): Promise<ReadonlyMap<string, Corridor>> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    async find(country) {
      if (known === undefined) return (await askOnce()).get(country);
      if (monotonicMs() - known.atMs > freshMs) {
        askOnce().catch((error: unknown) => logger.warn(errorFields(error), "the corridors could not be read"));
      }
      return known.corridors.get(country);
    },
  };
}

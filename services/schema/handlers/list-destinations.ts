import type { ListDestinationsResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import type { Destination } from "../domain/destination";

/** Encoded once: destinations change with a release only. */
export function listDestinationsHandler(destinations: readonly Destination[]): () => Promise<ListDestinationsResponse> {
  const response = {
    destinations: destinations.map(({ country, alpha2, ...facts }) => ({
      ...facts,
      countryCode: alpha2,
      countryCodeAlpha3: country,
    })),
  };
  return () => Promise.resolve(response);
}

import type { ListDestinationsResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import type { Destination } from "../domain/destination";

/** Encodes destinations once: only a release changes them. */
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

import type { Destination, DestinationMethod } from "../../proto/gen/corridor/schema/v1/schema_service";
import type { Upstreams } from "../clients";
import { jsonAnswer, type Route } from "../route";
import { arrayOf, currencySchema, integerSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";

const methodSchema = objectSchema({
  type: textSchema("Type of the payment method, as in the country's schema.", { examples: ["BANK_DEPOSIT"] }),
  expectedMinutes: nullable(integerSchema("How long a payout usually takes on a business day; null where unknown.")),
});

const destinationSchema = objectSchema({
  countryCode: textSchema("ISO 3166-1 alpha-2 code.", { pattern: "^[A-Z]{2}$" }),
  countryCodeAlpha3: textSchema("ISO 3166-1 alpha-3 code.", { pattern: "^[A-Z]{3}$" }),
  name: textSchema("English name."),
  currencies: arrayOf(currencySchema),
  methods: arrayOf(methodSchema),
});

export function destinationRoutes({ schema }: Pick<Upstreams, "schema">): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/reference/destinations",
      scheme: "agent",
      scope: "schemas",
      summary: "What can be paid to which country: currencies, methods and how long they take.",
      tag: "Reference data",
      body: "none",
      success: {
        status: 200,
        description: "Every destination, by alpha-3 code.",
        schema: objectSchema({ destinations: arrayOf(destinationSchema) }),
      },
      refusals: [],
      async handle() {
        const { destinations } = await schema.listDestinations({});
        return jsonAnswer({ destinations: destinations.map(renderDestination) });
      },
    },
  ];
}

const renderDestination = ({ countryCode, countryCodeAlpha3, name, currencies, methods }: Destination): object => ({
  countryCode,
  countryCodeAlpha3,
  name,
  currencies,
  methods: methods.map(renderMethod),
});

const renderMethod = ({ type, expectedMinutes }: DestinationMethod): object => ({
  type,
  expectedMinutes: expectedMinutes ?? null,
});

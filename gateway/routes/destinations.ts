import type { Destination } from "../../proto/gen/corridor/schema/v1/schema_service";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { alpha2, alpha3, answer, currency, integer, listOf, orNull, text } from "../contract/parts";
import type { Route } from "../route";

const methodShape = answer("DestinationMethod", "A way to be paid in a country.", {
  type: { ...text("Type of the payment method, as in the country's schema."), examples: ["BANK_DEPOSIT"] },
  expectedMinutes: orNull(integer("How long a payout usually takes on a business day; null where unknown.")),
});

const destinationShape = answer("Destination", "What can be paid to a country.", {
  countryCode: alpha2,
  countryCodeAlpha3: alpha3,
  name: text("English name."),
  currencies: listOf("What can be received.", currency),
  methods: listOf("How it can be received.", methodShape),
});

const destinationsShape = answer("Destinations", "What can be paid to which country.", {
  destinations: listOf("Every destination, by alpha-3 code.", destinationShape),
});

export const destinationRoutes = ({ schema }: Pick<Upstreams, "schema">): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/reference/destinations",
    scheme: "agent",
    scope: "schemas",
    summary: "What can be paid to which country: currencies, methods and how long they take.",
    tag: "Reference data",
    response: { status: 200, description: "Every destination, by alpha-3 code.", schema: destinationsShape },
    refusals: [],
    async handle() {
      const { destinations } = await schema.listDestinations({});
      return { destinations: destinations.map(renderDestination) };
    },
  }),
];

const renderDestination = ({
  countryCode,
  countryCodeAlpha3,
  name,
  currencies,
  methods,
}: Destination): Answered<typeof destinationShape> => ({
  countryCode,
  countryCodeAlpha3,
  name,
  currencies,
  methods: methods.map(({ type, expectedMinutes }) => ({ type, expectedMinutes: expectedMinutes ?? null })),
});

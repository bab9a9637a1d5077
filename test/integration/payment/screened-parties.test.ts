import { randomUUID } from "node:crypto";
import type { ReviewedPayment } from "../../../proto/gen/corridor/identity/v1/review_service";
import { ReviewServiceService } from "../../../proto/gen/corridor/identity/v1/review_service";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { customerPayload } from "../../support/corridor-payloads";
import { cardPullBody } from "../../support/payment-bodies";
import { until } from "../../support/platform-client";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("what is screened of a payment", () => {
  let world: PaymentWorld;
  let reviews: Rpc<typeof ReviewServiceService> & { stop(): Promise<void> | void };
  beforeAll(async () => {
    world = await startPaymentWorld();
    const { identity: target } = world.targets;
    reviews = makeRpcClient(ReviewServiceService, {
      target,
      tls: undefined,
      timeoutMs: 20_000,
      retryable: [],
      tracing: noTracing,
    });
  }, 120_000);
  afterAll(async () => {
    await reviews.stop();
    await world.stop();
  });

  /** What a reviewer sees of a payment that screening has stopped. */
  async function shownOf(body: object): Promise<ReviewedPayment> {
    const { text, fields } = await world.accept(world.replicas[0], body);
    expect(fields).toEqual([]);
    const { paymentId: subjectId } = JSON.parse(text ?? "{}") as { paymentId: string };
    const page = await until(
      () => reviews.listReviews({ tenant: demo, subjectId, limit: 1 }),
      (found) => found.reviews.length > 0,
    );
    const { review } = await reviews.getReview({ reviewId: page.reviews[0]?.reviewId ?? "" });
    if (review?.facts?.$case !== "payment") throw new Error("the review is about no payment");
    return review.facts.value;
  }

  const nothing = {
    birthDate: "",
    nationalityCode: "",
    residenceCode: "",
    documentNumbers: [],
    companyName: "",
    bankName: "",
    bankCountryCode: "",
    countryCodes: [],
  };

  it("is all that is known of both parties, of their banks and of their countries", async () => {
    const body = await world.push({
      sender: {
        firstName: "Ada",
        lastName: "Listed",
        birthDate: "1985-09-30",
        birthCountryCode: "CUB",
        address: { countryCode: "GBR", city: "London", line1: "12 Hill Road" },
        documents: [
          { document: "AB 12-345", type: "ID", countryCode: "IRL" },
          { document: "P7654321", type: "PASSPORT", countryCode: "DEU" },
        ],
      },
      recipient: {
        firstName: "Maria",
        lastName: "Souza",
        birthDate: "1990-04-15",
        address: { countryCode: "PRT", city: "Porto", line1: "Rua A 1" },
        documents: [{ document: "390.533.447-05", type: "CPF", countryCode: "BRA" }],
        paymentMethod: { type: "PIX", countryCode: "BRA", key: "maria.souza@example.com", keyType: "EMAIL" },
      },
    });

    expect(await shownOf(body)).toMatchObject({
      senderName: "Ada Listed",
      sender: {
        ...nothing,
        birthDate: "1985-09-30",
        nationalityCode: "DE",
        residenceCode: "GB",
        documentNumbers: ["AB 12-345", "P7654321"],
        countryCodes: ["IE", "DE"],
      },
      recipient: {
        name: "Maria Souza",
        countryCode: "BRA",
        party: {
          ...nothing,
          birthDate: "1990-04-15",
          residenceCode: "PT",
          documentNumbers: ["390.533.447-05"],
          bankCountryCode: "BR",
          countryCodes: ["BR"],
        },
      },
    });
  });

  it("is also the country that a customer is one in, beside that of the address", async () => {
    const { sender, ...body } = customerPayload("BRA", {
      type: "PIX",
      pix: { keyType: "EMAIL", key: "m@example.com" },
    });
    const { customer, customerAddress } = sender as { customer: object; customerAddress: object };
    const changed = {
      ...body,
      externalPaymentId: randomUUID(),
      recipientAmount: { total: 500, currency: "BRL" },
      sender: {
        customer: { ...customer, lastName: "Listed", countryCodeAlpha3: "USA" },
        customerAddress: { ...customerAddress, countryCode: "XK" },
      },
    };

    const { sender: shown } = await shownOf(changed);

    expect(shown).toMatchObject({ residenceCode: "XK", countryCodes: ["US"], documentNumbers: ["123456789"] });
  });

  it("is who pays, where nobody is paid", async () => {
    const body = cardPullBody("1");
    const sender = { ...Object(body["sender"]), lastName: "Listed" };

    const { sender: shown, recipient } = await shownOf({ ...body, sender });

    expect(shown).toMatchObject({ residenceCode: expect.stringMatching(/^[A-Z]{2}$/), bankCountryCode: "" });
    expect(recipient).toBeUndefined();
  });

  it("leaves out what is no country, so that the payment is decided about all the same", async () => {
    const body = await world.push();
    const sender = Object(body["sender"]);
    const address = { ...sender.address, countryCode: "ZZZ" };

    const shown = await shownOf({ ...body, sender: { ...sender, lastName: "Listed", address } });

    expect(shown).toMatchObject({ senderName: "Ada Listed", sender: undefined });
  });
});

import type { AccountCheck } from "../../../proto/gen/corridor/payment/v1/check_service";
import { accountCheckOf } from "../../support/check-intents";
import { freshId } from "../../support/platform-client";
import { insistent, refusalOf } from "./looks";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("the validation of an account check", () => {
  let world: PaymentWorld;
  const validate = (check: AccountCheck | undefined, replica: 0 | 1 = 0, tenant = demo) =>
    world.replicas[replica].validateAccountCheck({ tenant, check });
  const check = (asked: AccountCheck) =>
    insistent(() => world.replicas[0].checkAccount({ tenant: demo, check: asked, answerForm: 1 }));
  const free = { isKnown: false, differentFields: [], violations: [] };

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  it("says at each replica whether the id was used, and for what else, also while the linker is away", async () => {
    const id = freshId();
    await check(accountCheckOf(id));
    await world.outside.fault({ provider: "linker", step: "exchange", execute: false });

    for (const replica of [0, 1] as const) {
      expect(await validate(accountCheckOf(id), replica)).toEqual({ ...free, isKnown: true });
      expect(await validate(accountCheckOf(id, { accountId: "acc-savings" }), replica)).toEqual({
        ...free,
        isKnown: true,
        differentFields: ["sender"],
      });
    }
  });

  it("knows nothing of another tenant's id, and keeps nothing of a free one", async () => {
    const [taken, id] = [freshId(), freshId()];
    await check(accountCheckOf(taken));

    const answers = await Promise.all([0, 1, 0, 1].map((replica) => validate(accountCheckOf(id), replica as 0 | 1)));

    expect(answers).toEqual([free, free, free, free]);
    expect(await validate(accountCheckOf(taken), 0, "other")).toEqual(free);
    const kept = world.mongo.connection.collection("account_checks").countDocuments({ tenant: demo, externalId: id });
    expect(await kept).toBe(0);
  });

  it("names every field of a draft that breaks a rule, and all of an empty one", async () => {
    const everything = [
      "externalPaymentId",
      "sender.paymentMethod.countryCode",
      "sender.paymentMethod.accountCheckToken",
      "sender.paymentMethod.accountCheckId",
    ];
    const fieldsOf = async (draft: AccountCheck | undefined) =>
      (await validate(draft)).violations.map(({ field }) => field);

    expect(await fieldsOf(undefined)).toEqual(everything);
    expect(await fieldsOf({ externalPaymentId: "", countryCode: "", publicToken: "", accountId: "" })).toEqual(
      everything,
    );
    expect(await fieldsOf(accountCheckOf(freshId(), { countryCode: "USA" }))).toEqual([everything[1]]);
  });

  it("is UNAVAILABLE while the store is away", async () => {
    const restore = await world.cutOff(0);
    const refused = await refusalOf(validate(accountCheckOf(freshId())));
    await restore();

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
  });
});

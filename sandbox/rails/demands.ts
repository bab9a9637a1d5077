import type { Answer } from "../answer";
import corridors from "../corridors.json";
import { asObject, type Problem, text } from "../input";
import { refuseWith } from "../refusals";
import type { Order } from "./instruction";

/** Requirements of a corridor for a method: dotted paths into an order, each with a pattern of its text. */
type Demands = Readonly<Record<string, string>>;

/** The travel rule: payer and recipient need names. A company that pays has one name only. */
const everywhere: Demands = { "debtor.lastName": ".", "creditor.firstName": ".", "creditor.lastName": "." };

const demandsOf: ReadonlyMap<string, Readonly<Record<string, Demands>>> = new Map(
  Object.entries(corridors).map(([country, { demands }]) => [country, demands]),
);

/** Refuses an order that lacks what its country requires; undefined when it is complete. */
export function refuseIncomplete(order: Order): Answer | undefined {
  const { accountNumberType = order.method } = order.account;
  const demands = Object.entries({ ...everywhere, ...demandsOf.get(order.countryCode)?.[accountNumberType] });
  const fields = demands.flatMap(([path, form]): Problem[] =>
    new RegExp(form, "u").test(text(valueAt(order, path)))
      ? []
      : [{ field: path, message: "is required in the form of this country" }],
  );
  const [first] = fields;
  return (
    first &&
    refuseWith("incomplete_instruction", { reference: order.reference, reasonCode: reasonFor(first.field), fields })
  );
}

const valueAt = (order: Order, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (Array.isArray(value) ? value[Number(name)] : asObject(value)[name]), order);

/** ISO 20022 codes by the incomplete part of the order. */
const reasons: Readonly<Record<string, string>> = { account: "AC01", debtor: "RR02", creditor: "RR03" };

const reasonFor = (path: string): string => reasons[path.split(".")[0] ?? ""] ?? "RR04";

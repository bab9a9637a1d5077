import type { Answer } from "../answer";
import corridors from "../corridors.json";
import { asObject, type Problem, text } from "../input";
import { refuseWith } from "../refusals";
import type { Order } from "./instruction";

/** What a corridor asks for of a method: dotted paths into an order, each with the form of its text. */
type Demands = Readonly<Record<string, string>>;

/** Nobody pays, and nobody is paid, without a name: the travel rule. A company that pays has one name alone. */
const everywhere: Demands = { "debtor.lastName": ".", "creditor.firstName": ".", "creditor.lastName": "." };

const demandsOf: ReadonlyMap<string, Readonly<Record<string, Demands>>> = new Map(
  Object.entries(corridors).map(([country, { demands }]) => [country, demands]),
);

/** Why an order cannot be carried out for want of what its country asks for; undefined where nothing is wanting. */
export function refuseIncomplete(order: Order): Answer | undefined {
  const { accountNumberType = order.method } = order.account;
  const demands = Object.entries({ ...everywhere, ...demandsOf.get(order.countryCode)?.[accountNumberType] });
  const fields = demands.flatMap(([path, form]): Problem[] =>
    new RegExp(form, "u").test(text(valueAt(order, path)))
      ? []
      : [{ field: path, message: "is required in the form of this country" }],
  );
  const [first] = fields;
  return first && refuseWith("incomplete_instruction", { reasonCode: reasonFor(first.field), fields });
}

const valueAt = (order: Order, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (Array.isArray(value) ? value[Number(name)] : asObject(value)[name]), order);

/** ISO 20022 codes by the part of the order that is wanting. */
const reasons: Readonly<Record<string, string>> = { account: "AC01", debtor: "RR02", creditor: "RR03" };

const reasonFor = (path: string): string => reasons[path.split(".")[0] ?? ""] ?? "RR04";

import type { CorridorPack, MethodRules, RequiredFor } from "../../services/schema/domain/corridor-pack";
import { packExamples } from "../../services/schema/domain/pack-examples";
import { changed, type Json } from "./corridor-payloads";

/** A payload that breaks one rule of a pack, and the field that its refusal must name. */
export interface Counterexample {
  payload: Json;
  field: string;
}

/** A change of an example: a field deleted, or set to a value that no rule allows. */
interface Breach {
  field: string;
  value?: unknown;
}

/** One violation of every rule of a pack, for each of its examples. */
export function counterexamples(pack: CorridorPack): Counterexample[] {
  return packExamples(pack).flatMap((example) => {
    const { type, accountNumberType } = Object(Object(example["recipient"])["paymentMethod"]) as Record<string, string>;
    const method = pack.methods[type ?? ""];
    if (method === undefined) throw new Error(`${pack.country} has no method ${type}`);
    const breaches = [
      ...methodBreaches(accountNumberType === undefined ? method : (method.alternative ?? method)),
      ...partyBreaches(pack),
      ...documentBreaches(pack, type ?? ""),
      ...extraBreaches(pack, type ?? ""),
    ];
    return breaches.map(({ field, value }) => ({ field, payload: changed({ ...example }, field, value) }));
  });
}

const missing = (place: string, names: readonly string[] = []): Breach[] =>
  names.map((name) => ({ field: `${place}.${name}` }));

const holds = (requiredFor: RequiredFor | undefined, type: string): boolean =>
  requiredFor === "always" || requiredFor === type;

function methodBreaches({ requires, fields }: Pick<MethodRules, "requires" | "fields">): Breach[] {
  const place = "recipient.paymentMethod";
  const ruled = requires.filter((name) => fields[name]?.pattern !== undefined || fields[name]?.enum !== undefined);
  return [
    ...missing(place, ["type", ...requires]),
    ...["type", "countryCode", ...ruled].map((name) => ({ field: `${place}.${name}`, value: "?" })),
  ];
}

function partyBreaches({ addressRequires, recipientRequires, senderRequires }: CorridorPack): Breach[] {
  return [
    ...missing("recipient", ["firstName", "lastName", "paymentMethod", ...(recipientRequires ?? [])]),
    { field: "recipient.firstName", value: "" },
    { field: "recipient.address.countryCode", value: "BR" },
    { field: "recipient.birthDate", value: "2026-02-30" },
    ...missing("sender", senderRequires),
    ...["recipient", "sender"].flatMap((party) => missing(`${party}.address`, addressRequires)),
  ];
}

function documentBreaches({ documents }: CorridorPack, type: string): Breach[] {
  if (documents === undefined) return [];
  return [
    ...(holds(documents.requiredFor, type) ? [{ field: "recipient.documents" }] : []),
    { field: "recipient.documents", value: [] },
    ...missing("recipient.documents.0", ["type", "document"]),
    { field: "recipient.documents.0.type", value: "?" },
    { field: "recipient.documents.0.document", value: "?" },
  ];
}

function extraBreaches({ purposes, requiresAdditionalData }: CorridorPack, type: string): Breach[] {
  const needsPurpose = holds(purposes?.requiredFor, type);
  return [
    { field: "recipientAmount" },
    { field: "recipientAmount.currency", value: "ZZZ" },
    { field: "recipientAmount.total", value: -1 },
    ...(requiresAdditionalData || needsPurpose ? [{ field: "additionalData" }] : []),
    ...(needsPurpose ? missing("additionalData", ["paymentPurpose"]) : []),
    ...(purposes === undefined ? [] : [{ field: "additionalData.paymentPurpose", value: "?" }]),
  ];
}

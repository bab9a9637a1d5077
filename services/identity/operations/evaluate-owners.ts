import { invalid } from "../../shared/kernel/errors";
import { listedPart } from "../domain/ownership";
import type { Participant, ParticipantKind } from "../domain/participant";
import type { PersonFields } from "../domain/person-fields";
import { uncleared } from "../domain/review";
import type { ScreeningHit } from "../domain/screening";
import type { Screening } from "../ports";
import type { ExceptionStore } from "../store/exception-store";
import { type CompanyChain, type FindEach, loadChain } from "./company-chain";

export interface OwnerSources {
  participants: FindEach;
  exceptions: Pick<ExceptionStore, "of">;
  screening: Screening;
}

/** Findings about a company through its owners. */
export interface OwnerFindings {
  /** Entries of listed owners who together own enough of it by the rule of their list. */
  hits: readonly ScreeningHit[];
  /** The records that this was decided from. */
  seen: readonly Participant[];
}

const nothing: OwnerFindings = { hits: [], seen: [] };

interface Company {
  tenant: string;
  id: string;
  kind: ParticipantKind;
  fields: PersonFields;
}

/** Throws INVALID_ARGUMENT for a party that is not the tenant's, that is the company itself, or that cannot sign. */
export function requireParties({ id, fields }: Company, { records, isWhole }: CompanyChain): void {
  if (!isWhole) throw invalid([{ field: "relatedParties", message: "have too many companies behind them" }]);
  const violations = (fields.relatedParties ?? []).flatMap(({ participantId, roles }, index) => {
    const field = `relatedParties.${index}`;
    const found = records.find((record) => record.id === participantId);
    if (participantId === id || found === undefined) {
      const message = participantId === id ? "must be another one" : "must be the id of a person or company";
      return [{ field: `${field}.participantId`, message }];
    }
    const isAble = found.kind === "PERSON" || !roles.includes("SIGNATORY");
    return isAble ? [] : [{ field: `${field}.roles`, message: "have SIGNATORY for a person alone" }];
  });
  if (violations.length > 0) throw invalid(violations);
}

/** Screens every owner and controller of a company, and adds up the shares of listed ones, list by list. */
export async function evaluateOwners(
  sources: OwnerSources,
  company: Company,
  at: Date,
  check: (chain: CompanyChain) => void = () => undefined,
): Promise<OwnerFindings> {
  const { tenant, id, kind, fields } = company;
  if (kind !== "COMPANY" || (fields.relatedParties ?? []).length === 0) return nothing;
  const chain = await loadChain(sources.participants, tenant, id, fields.relatedParties ?? []);
  check(chain);
  const seen = chain.records.filter((record) => record.id !== id);
  const found: { owner: string; hit: ScreeningHit }[] = [];
  for (const record of seen) {
    const { hits } = sources.screening.screenFor(tenant, record.fields);
    if (hits.length === 0) continue;
    const open = uncleared(hits, await sources.exceptions.of(tenant, record.id), at);
    found.push(...open.map((hit) => ({ owner: record.id, hit })));
  }
  const lists = new Set(found.map(({ hit }) => hit.entry?.list ?? ""));
  const hits = [...lists].flatMap((list) => {
    const rule = sources.screening.ownershipRule(list);
    const ofList = found.filter(({ hit }) => (hit.entry?.list ?? "") === list);
    const owners = new Set(ofList.map(({ owner }) => owner));
    const part = rule === undefined ? undefined : listedPart(chain.nodes, id, owners, rule);
    if (part === undefined) return [];
    const points = Number.parseInt(String((part.numerator * 100n) / part.denominator), 10);
    return ofList.map(({ hit }) => ownershipHit(hit, points));
  });
  return { hits, seen };
}

/** Returns the owner's hit as the company's. A cleared hit is raised again when listed owners hold a different share. */
const ownershipHit = (hit: ScreeningHit, points: number): ScreeningHit => ({
  ...hit,
  entryDigest: `${hit.entryDigest} ${points}%`,
  factors: [{ factor: "ownership", points, listed: `${points} per cent belong to listed owners` }],
});

/** Returns the hits of a company itself and those through its owners; each entry once. */
export const withOwners = (own: readonly ScreeningHit[], owners: OwnerFindings): readonly ScreeningHit[] => {
  const all = [...own, ...owners.hits];
  return all.filter(({ entryId }, place) => all.findIndex((hit) => hit.entryId === entryId) === place);
};

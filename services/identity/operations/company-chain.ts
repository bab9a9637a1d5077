import type { Tx } from "../../shared/storage/mongo";
import type { ChainNode } from "../domain/ownership";
import type { Participant } from "../domain/participant";
import type { RelatedParty } from "../domain/related-parties";
import type { ParticipantStore } from "../store/participant-store";

/** Every owner and controller of a company, directly or through companies. */
export interface CompanyChain {
  nodes: readonly ChainNode[];
  /** The stored ones, without the company itself. An erased one is a node without known facts. */
  records: readonly Participant[];
  /** False when the chain is longer than is read. */
  isWhole: boolean;
}

/** A change that makes a longer chain is refused, and no company with one reaches level FULL. */
const mostCompanies = 40;
const mostNodes = 400;

export type FindEach = Pick<ParticipantStore, "findEach">;

/** Reads the chain of a company with these parties, up to the limits. */
export async function loadChain(
  participants: FindEach,
  tenant: string,
  company: string,
  parties: readonly RelatedParty[],
): Promise<CompanyChain> {
  const nodes = new Map<string, ChainNode>([[company, { id: company, isPerson: false, parties }]]);
  const records: Participant[] = [];
  let companies = 1;
  let wanted = idsOf(parties);
  while (wanted.length > 0) {
    const asked = wanted.filter((id) => !nodes.has(id));
    const found = asked.length === 0 ? [] : await participants.findEach(tenant, asked);
    for (const id of asked) nodes.set(id, { id, isPerson: true, parties: [] });
    for (const record of found) {
      const isPerson = record.kind === "PERSON";
      nodes.set(record.id, { id: record.id, isPerson, parties: record.fields.relatedParties ?? [] });
      records.push(record);
      if (!isPerson) companies += 1;
    }
    if (companies > mostCompanies || nodes.size > mostNodes) {
      return { nodes: [...nodes.values()], records, isWhole: false };
    }
    wanted = found.flatMap(({ fields }) => idsOf(fields.relatedParties ?? []));
  }
  return { nodes: [...nodes.values()], records, isWhole: true };
}

const idsOf = (parties: readonly RelatedParty[]): string[] => parties.map(({ participantId }) => participantId);

/**
 * Marks every company that a party owns or controls, directly or through companies, to be screened again, in the commit that changes the
 * party's facts.
 */
export async function screenCompaniesBehind(
  participants: Pick<ParticipantStore, "companiesOf" | "forgetScreening">,
  tenant: string,
  id: string,
  tx: Tx,
): Promise<void> {
  const seen = new Set([id]);
  let wanted: string[] = [id];
  while (wanted.length > 0) {
    const companies = await participants.companiesOf(tenant, wanted, tx);
    wanted = [...new Set(companies)].filter((company) => !seen.has(company));
    for (const company of wanted) {
      seen.add(company);
      await participants.forgetScreening(tenant, company, tx);
    }
  }
}

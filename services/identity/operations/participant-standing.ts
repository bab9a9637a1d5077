import { type LevelStanding, levelsOf } from "../domain/compliance-level";
import { standingOf } from "../domain/ownership";
import type { Participant } from "../domain/participant";
import type { PersonSchemas } from "../ports";
import type { DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";
import type { SessionStore } from "../store/session-store";
import { loadChain } from "./company-chain";

export interface StandingDeps {
  participants: Pick<ParticipantStore, "findEach">;
  documents: Pick<DocumentStore, "verifiedTypes">;
  sessions: Pick<SessionStore, "verifiedTypes">;
  schemas: Pick<PersonSchemas, "check">;
}

/** Returns the level that a person or company has reached. For a company, its owners, controllers and representatives must be known. */
export async function standingOfParticipant(
  deps: StandingDeps,
  participant: Participant,
): Promise<{ level: LevelStanding["level"]; levels: readonly LevelStanding[] }> {
  const { tenant, id, fields, kind } = participant;
  const country = fields.address?.countryCode;
  const [unmet, unknown, ...verified] = await Promise.all([
    country === undefined ? [] : deps.schemas.check(country, fields),
    kind === "COMPANY" ? unknownBehind(deps, participant) : [],
    deps.documents.verifiedTypes(tenant, id),
    deps.sessions.verifiedTypes(tenant, id),
  ]);
  const names = unmet.map(({ field }) => field);
  return levelsOf(participant, names, new Set(verified.flat()), unknown);
}

/** Returns the natural persons behind a company who must be known and are not, as items missing for FULL. */
async function unknownBehind(deps: StandingDeps, { tenant, id, fields }: Participant): Promise<string[]> {
  const { nodes, records, isWhole } = await loadChain(deps.participants, tenant, id, fields.relatedParties ?? []);
  if (!isWhole) return ["relatedParties"];
  const { owners, acting } = standingOf(nodes, id);
  const isFull = async (person: string): Promise<boolean> => {
    const record = records.find((one) => one.id === person);
    return record !== undefined && (await standingOfParticipant(deps, record)).level === "FULL";
  };
  const missing: string[] = [];
  for (const owner of owners) if (!(await isFull(owner))) missing.push(`relatedParties.${owner}`);
  for (const person of acting) if (await isFull(person)) return missing;
  return [...missing, "relatedParties.control"];
}

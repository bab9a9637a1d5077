import type { Ids } from "../../shared/kernel/ids";
import { decidePerson, type PersonDecision } from "../domain/participant";
import { type GivenPerson, type PersonFields, parsePerson } from "../domain/person-fields";
import type { ParticipantStore } from "../store/participant-store";
import { type EvaluationSources, evaluatePerson } from "./evaluate-person";

export interface RegisterPersonDeps extends EvaluationSources {
  participants: Pick<ParticipantStore, "add">;
  ids: Pick<Ids, "uuid">;
}

export interface RegisteredPerson {
  /** Undefined when the person was not stored. */
  id: string | undefined;
  fields: PersonFields;
  decision: PersonDecision;
}

export type RegisterPerson = (tenant: string, given: GivenPerson) => Promise<RegisteredPerson>;

/** Stores a person that passes, and nothing of one that does not. */
export const makeRegisterPerson =
  ({ participants, ids, ...sources }: RegisterPersonDeps): RegisterPerson =>
  async (tenant, given) => {
    const fields = parsePerson(given, sources.clock.now());
    const { listVersion, ...findings } = await evaluatePerson(sources, fields);
    const decision = decidePerson(findings);
    if (decision.status === "REJECTED") return { id: undefined, fields, decision };
    const id = ids.uuid();
    const at = sources.clock.now();
    await participants.add({
      id,
      tenant,
      kind: fields.type === "BUSINESS" ? "COMPANY" : "PERSON",
      fields,
      status: "APPROVED",
      reasonCodes: [],
      listVersion,
      version: 1,
      createdAt: at,
      updatedAt: at,
    });
    return { id, fields, decision };
  };

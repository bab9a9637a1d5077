import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { localPeople } from "../../shared/kernel/local-people";
import type { Profile } from "../../shared/kernel/profile";
import { homeOf } from "../domain/user";
import type { AdmitPerson } from "./admit-person";
import type { OpenedSession, OpenSession } from "./open-session";

export interface OpenLocalSessionDeps {
  profile: Profile;
  admitPerson: AdmitPerson;
  openSession: OpenSession;
  clock: Clock;
}

export type OpenLocalSession = (person: string) => Promise<OpenedSession>;

/** Trusts the user of a local platform without proof. No other profile admits a person without proof. */
export const makeOpenLocalSession =
  ({ profile, admitPerson, openSession, clock }: OpenLocalSessionDeps): OpenLocalSession =>
  async (person) => {
    const found = localPeople.find(({ id }) => id === person);
    if (profile !== "local" || found === undefined)
      throw new DomainError("RECORD_NOT_FOUND", "there is no such person");
    const { groups, tenant } = found;
    const now = clock.now();
    const said = { subject: `local:${person}`, email: undefined, groups, hasSecondFactor: true, provenAt: now };
    return openSession(await admitPerson(said, tenant === undefined ? "operators" : homeOf(tenant)), now);
  };

import type { CheckPersonRequest, CheckPersonResponse } from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { Clock } from "../../shared/kernel/clock";
import { typeOf } from "../domain/participant";
import { checkPerson } from "../domain/person-fields";
import { decodeAnyKind, decodePerson } from "./participant-codec";

export const checkPersonHandler =
  ({ clock }: { clock: Clock }) =>
  async ({ kind: wireKind, details }: CheckPersonRequest): Promise<CheckPersonResponse> => {
    const kind = decodeAnyKind(wireKind);
    const only = kind === undefined ? undefined : typeOf(kind);
    return { violations: [...checkPerson(decodePerson(details), clock.now(), only)] };
  };

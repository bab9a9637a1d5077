import type { Person, User as UserMessage } from "../../../proto/gen/corridor/auth/v1/people_service";
import { tenantOf, type User } from "../domain/user";
import type { ProvenPerson } from "../operations/authenticate-person";

export const encodePerson = ({ user, roles, provenAt, expiresAt, session }: ProvenPerson): Person => ({
  userId: user.id,
  tenant: tenantOf(user.home),
  roles: [...roles],
  expiresAt,
  provenAt,
  sessionId: session,
});

export const encodeUser = ({ id, home, email, subject, roles, isDisabled, createdAt }: User): UserMessage => ({
  userId: id,
  tenant: tenantOf(home),
  email,
  roles: [...roles],
  isDisabled,
  hasCome: subject !== undefined,
  createdAt,
});

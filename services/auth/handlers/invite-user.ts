import type { InviteUserRequest, InviteUserResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import { requireHome } from "../domain/user";
import type { InviteUser } from "../operations/invite-user";
import { encodeUser } from "./people-codec";

export const inviteUserHandler =
  (inviteUser: InviteUser) =>
  async ({ email, roles, ...whose }: InviteUserRequest): Promise<InviteUserResponse> => ({
    user: encodeUser(await inviteUser({ home: requireHome(whose), email, roles })),
  });

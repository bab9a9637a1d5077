import type { ChangeUserRequest, ChangeUserResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import { requireHome } from "../domain/user";
import type { ChangeUser } from "../operations/change-user";
import { encodeUser } from "./people-codec";

export const changeUserHandler =
  (changeUser: ChangeUser) =>
  async ({ userId, roles, isDisabled, by, ...whose }: ChangeUserRequest): Promise<ChangeUserResponse> => {
    const change = {
      ...(roles === undefined ? {} : { roles: roles.values }),
      ...(isDisabled === undefined ? {} : { isDisabled }),
    };
    return { user: encodeUser(await changeUser({ home: requireHome(whose), userId, by, ...change })) };
  };

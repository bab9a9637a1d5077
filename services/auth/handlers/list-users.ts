import type { ListUsersRequest, ListUsersResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import { requireHome } from "../domain/user";
import { mostUsers } from "../operations/admit-person";
import type { UserStore } from "../store/user-store";
import { encodeUser } from "./people-codec";

/** A read without a decision: straight from the store. */
export const listUsersHandler =
  (users: Pick<UserStore, "list">) =>
  async (whose: ListUsersRequest): Promise<ListUsersResponse> => ({
    users: (await users.list(requireHome(whose), mostUsers)).map(encodeUser),
  });

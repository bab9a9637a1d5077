import type { IssueTokenRequest, IssueTokenResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { IssueToken } from "../operations/issue-token";

export const issueTokenHandler =
  (issueToken: IssueToken) =>
  ({ clientId, clientSecret, scope, address, certificate }: IssueTokenRequest): Promise<IssueTokenResponse> =>
    issueToken({ clientId, clientSecret, scope, address, certificate });

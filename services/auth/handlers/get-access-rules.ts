import type { GetAccessRulesRequest, GetAccessRulesResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { GetAccessRules } from "../operations/get-access-rules";
import { encodeBounds } from "./codec";

export const getAccessRulesHandler =
  (getAccessRules: GetAccessRules) =>
  async ({ verifierId }: GetAccessRulesRequest): Promise<GetAccessRulesResponse> => {
    const { tenants, disabledClients, secrets, revokedTokens, verifiers } = await getAccessRules(verifierId);
    return {
      tenants: tenants.map(({ slug, isDisabled, allowlist, certificates }) => ({
        tenant: slug,
        isDisabled,
        allowlist: [...allowlist],
        certificates: [...certificates],
      })),
      disabledClients,
      secrets: secrets.map(({ id, isRevoked, bounds }) => ({ secretId: id, isRevoked, bounds: encodeBounds(bounds) })),
      revokedTokens,
      verifiers,
    };
  };

import type { IdentityServiceService } from "../../../../proto/gen/corridor/identity/v1/identity_service";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { Participants } from "../../ports";

/** Reads the identity service's persons and companies over RPC. */
export const makeParticipants = (client: Pick<Rpc<typeof IdentityServiceService>, "getParticipant">): Participants => ({
  async require(tenant, participantId) {
    await client.getParticipant({ tenant, participantId });
  },
});

import type { Upstreams } from "../clients";
import { noContent, type OperatorCall, type Route, requireParam } from "../route";

/** What operators do with persons and companies. */
export const participantRoutes = ({ identity }: Pick<Upstreams, "identity">): readonly Route[] => [
  {
    method: "DELETE",
    path: "/tenants/{tenant}/participants/{participantId}",
    scheme: "operator",
    tag: "Participants",
    summary: "Erase a person or company for ever: its key is destroyed, copies and backups included.",
    body: "none",
    params: { tenant: "Slug of the tenant.", participantId: "Id of the person or company, a UUID." },
    success: { status: 204, description: "Nothing of it can be read any more. May be repeated." },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle(call: OperatorCall) {
      const tenant = requireParam(call, "tenant");
      await identity.eraseParticipant({ tenant, participantId: requireParam(call, "participantId") });
      return noContent;
    },
  },
];

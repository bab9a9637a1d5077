import type { Connection } from "mongoose";
import { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import { type Found, FoundKind, SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import { makeBusService } from "../../shared/bus/bus-service";
import { makeKeyService } from "../../shared/bus/key-service";
import { originOf } from "../../shared/kernel/ids";
import type { TenantScope } from "../../shared/kernel/tenant-scope";
import { makeSearchService } from "../../shared/rpc/search-service";
import { type IdSource, makeIdLookup } from "../../shared/storage/id-lookup";
import type { KeyRotation } from "../../shared/storage/key-rotation";
import { comparableNumber } from "../domain/blind-index";
import { documentCollection } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";
import { sessionCollection } from "../store/session-store";

/** RPC services that several services implement, this one included. */
export const commonServices = { ...BusServiceService, ...KeyServiceService, ...SearchServiceService };

const notErased = { dataKey: { $ne: null } };

/** Objects with an id of their own in this service. */
const sources: readonly IdSource<FoundKind>[] = [
  {
    collection: "participants",
    kind: ({ kind }) => (kind === "COMPANY" ? FoundKind.COMPANY : FoundKind.PERSON),
    where: notErased,
    createdAt: "createdAt",
  },
  { collection: documentCollection, kind: FoundKind.DOCUMENT, parentId: "entityId", createdAt: "createdAt" },
  {
    collection: sessionCollection,
    kind: FoundKind.SESSION,
    where: notErased,
    parentId: "personId",
    createdAt: "createdAt",
  },
  { collection: "reviews", kind: FoundKind.REVIEW, parentId: "subjectId", createdAt: "openedAt" },
];

export const commonHandlers = (connection: Connection, keyRotation: KeyRotation, participants: ByNumber) => ({
  ...makeBusService({ connection, consumers: [] }),
  ...makeKeyService(keyRotation),
  ...makeSearchService(makeFind(connection, participants)),
});

type ByNumber = Pick<ParticipantStore, "findByNumber">;

/** Shortest number, after normalisation, that is searched for: a document number has more characters than a word. */
const leastCharacters = 5;

/**
 * Finds by any id or, on request, by the number of an identity document, which is stored as a digest only. No number has the form of an id.
 */
function makeFind(connection: Connection, participants: ByNumber) {
  const lookUp = makeIdLookup(connection, sources);
  return async (scope: TenantScope, id: string, withNumbers: boolean): Promise<Found[]> => {
    if (originOf(id) === "identity") return lookUp(scope, id);
    const isNumber = withNumbers && /\d/.test(id) && comparableNumber(id).length >= leastCharacters;
    const found = isNumber ? await participants.findByNumber(scope, id) : [];
    return found.map(({ id: own, tenant, kind, createdAt }) => ({
      kind: kind === "COMPANY" ? FoundKind.COMPANY : FoundKind.PERSON,
      id: own,
      tenant,
      externalId: undefined,
      parentId: undefined,
      createdAt,
    }));
  };
}

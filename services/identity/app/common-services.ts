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

/** What several services serve, and this one too. */
export const commonServices = { ...BusServiceService, ...KeyServiceService, ...SearchServiceService };

const notErased = { dataKey: { $ne: null } };

/** What has an id of its own here. */
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

/** Shortest number, without what people write it with, that is looked for: the number of a document has more characters than a word. */
const leastCharacters = 5;

/** Finds by any id or, where asked, by the number of an identity document, of which only the digest is kept. No number has an id's form. */
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

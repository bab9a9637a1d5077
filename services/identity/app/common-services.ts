import type { Connection } from "mongoose";
import { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import { FoundKind, SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import { makeBusService } from "../../shared/bus/bus-service";
import { makeKeyService } from "../../shared/bus/key-service";
import { makeSearchService } from "../../shared/rpc/search-service";
import { type IdSource, makeIdLookup } from "../../shared/storage/id-lookup";
import type { KeyDuty } from "../../shared/storage/key-duty";
import { documentCollection } from "../store/document-store";
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

export const commonHandlers = (connection: Connection, keyDuty: KeyDuty) => ({
  ...makeBusService({ connection, consumers: [] }),
  ...makeKeyService(keyDuty),
  ...makeSearchService(makeIdLookup(connection, sources)),
});

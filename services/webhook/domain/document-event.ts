import { fieldsOf, type Notification } from "./event";

/** An upload, or a decision on a document. */
export interface DocumentFacts {
  tenant: string;
  /** Upload id, or session id of a KYC session. */
  documentId: string;
  entityId: string;
  entityType: string;
  documentType: string;
  verificationStatus: string;
  /** When the reported decision was made. */
  occurredAt: Date;
}

/** The notification of a document; fields in the order of the specification. */
export const documentNotification = ({ documentId, tenant, occurredAt, ...facts }: DocumentFacts): Notification => ({
  name: "DocumentUpdatedEvents",
  fields: fieldsOf({
    id: documentId,
    entityId: facts.entityId,
    entityType: facts.entityType,
    documentType: facts.documentType,
    verificationStatus: facts.verificationStatus,
    occurredAt: `${occurredAt.toISOString().slice(0, 19)}+00:00`,
    tenantId: tenant,
    version: 1,
  }),
});

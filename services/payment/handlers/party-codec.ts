import type { IdentityDocument, PartyDetails, PostalAddress } from "../../../proto/gen/corridor/common/v1/party";
import type { Party } from "../domain/party";

/** Converts a party. The wire's messages and the domain's forms have the same fields with the same meaning. */
export const decodeParty = ({ address, documents, ...texts }: PartyDetails): Party => ({
  ...texts,
  address: address && decodeAddress(address),
  documents: documents.map(decodeDocument),
});

const decodeAddress = (address: PostalAddress): NonNullable<Party["address"]> => ({ ...address });

const decodeDocument = (document: IdentityDocument): Party["documents"][number] => ({ ...document });

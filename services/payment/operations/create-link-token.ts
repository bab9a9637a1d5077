import { DomainError } from "../../shared/kernel/errors";
import { type LinkRequest, linkViolations } from "../domain/account-check";
import { requireNone } from "../domain/check-fields";
import type { Linker, LinkToken } from "../domain/check-ports";

export type CreateLinkToken = (request: LinkRequest) => Promise<LinkToken>;

/** Opens a link flow. Throws INVALID_ARGUMENT, and UNAVAILABLE when the provider gives no token. */
export const makeCreateLinkToken =
  ({ linker }: { linker: Linker }): CreateLinkToken =>
  async (request) => {
    requireNone(linkViolations(request));
    const { phoneNumber, androidPackageName } = request;
    const token = await linker.createLinkToken({ phoneNumber, ...(androidPackageName && { androidPackageName }) });
    if (token === undefined) throw new DomainError("UNAVAILABLE", "the linking provider does not answer");
    return token;
  };

import { DomainError } from "../../shared/errors";
import type { JsonObject } from "../../shared/json";
import type { Linker, LinkToken } from "../check-ports";
import { parseLinkRequest } from "../domain/account-check";

export type CreateLinkToken = (body: JsonObject) => Promise<LinkToken>;

/** Opens a link flow. Throws INVALID_ARGUMENT, and UNAVAILABLE when the provider gives no token. */
export const makeCreateLinkToken =
  ({ linker }: { linker: Linker }): CreateLinkToken =>
  async (body) => {
    const token = await linker.createLinkToken(parseLinkRequest(body));
    if (token === undefined) throw new DomainError("UNAVAILABLE", "the linking provider does not answer");
    return token;
  };

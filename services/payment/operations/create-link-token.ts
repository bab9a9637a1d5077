import { DomainError } from "../../shared/kernel/errors";
import type { JsonObject } from "../../shared/kernel/json";
import { parseLinkRequest } from "../domain/account-check";
import type { Linker, LinkToken } from "../domain/check-ports";

export type CreateLinkToken = (body: JsonObject) => Promise<LinkToken>;

/** Opens a link flow. Throws INVALID_ARGUMENT, and UNAVAILABLE when the provider gives no token. */
export const makeCreateLinkToken =
  ({ linker }: { linker: Linker }): CreateLinkToken =>
  async (body) => {
    const token = await linker.createLinkToken(parseLinkRequest(body));
    if (token === undefined) throw new DomainError("UNAVAILABLE", "the linking provider does not answer");
    return token;
  };

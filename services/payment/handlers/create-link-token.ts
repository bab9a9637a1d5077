import type {
  CreateLinkTokenRequest,
  CreateLinkTokenResponse,
} from "../../../proto/gen/corridor/payment/v1/check_service";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import type { CreateLinkToken } from "../operations/create-link-token";

export const createLinkTokenHandler =
  (createLinkToken: CreateLinkToken) =>
  ({ bodyJson }: CreateLinkTokenRequest): Promise<CreateLinkTokenResponse> =>
    createLinkToken(parseJsonObject(decodeUtf8(bodyJson)).value);

import type { GetMarginRequest, GetMarginResponse } from "../../../proto/gen/corridor/fx/v1/margin_service";
import type { ReadMargin } from "../operations/read-margin";
import { decodeSpan } from "./codec";

export const getMarginHandler =
  (readMargin: ReadMargin) =>
  async (request: GetMarginRequest): Promise<GetMarginResponse> => ({ margins: await readMargin(decodeSpan(request)) });

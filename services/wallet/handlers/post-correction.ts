import type { PostCorrectionRequest, PostCorrectionResponse } from "../../../proto/gen/corridor/wallet/v1/ledger";
import type { PostCorrection } from "../operations/post-correction";
import { decodePosting, encodeEntry } from "./ledger-codec";

export const postCorrectionHandler =
  (postCorrection: PostCorrection) =>
  async ({ entryId, kind, reason, links, postings }: PostCorrectionRequest): Promise<PostCorrectionResponse> => {
    const correction = { id: entryId, label: kind, reason, links, postings: postings.map(decodePosting) };
    const { entry, replayed } = await postCorrection(correction);
    return { entry: encodeEntry(entry, new Map()), replayed };
  };

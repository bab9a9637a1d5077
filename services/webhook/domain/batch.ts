/** Most events of one batch. */
export const maxBatchSize = 50;

/** The body of a batch: each event byte for byte as it would be sent alone. */
export const batchBody = (batchId: string, bodies: readonly string[]): string =>
  `{"batchId":${JSON.stringify(batchId)},"isBatch":true,"events":[${bodies.join(",")}]}`;

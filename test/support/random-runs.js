const fc = require("fast-check");

const factor = Number(process.env.RANDOM_FACTOR ?? "1");
const seed = process.env.RANDOM_SEED === undefined ? undefined : Number(process.env.RANDOM_SEED);

/**
 * `make test` runs a tenth of the random cases of `make test-long`, and always the same ones: its result for a change does not
 * depend on luck. The long run looks for new ones; a failure prints its seed, which `RANDOM_SEED` repeats.
 */
fc.configureGlobal({
  numRuns: 100 * factor,
  ...(factor === 1 && { seed: 20_261_121 }),
  ...(seed !== undefined && { seed }),
});

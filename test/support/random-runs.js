const fc = require("fast-check");

/** `make test` runs a tenth of the random cases that `make test-long` runs. A failure prints its seed and how to replay it. */
fc.configureGlobal({ numRuns: 100 * Number(process.env.RANDOM_FACTOR ?? "1") });

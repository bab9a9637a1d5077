/** Parts of the names of the slowest test files, slowest first. */
const long = [
  "e2e/rolling-restart",
  "e2e/crash-points",
  "wallet/model",
  "e2e/store-outages",
  "storage/outages",
  "e2e/demo",
  "e2e/promise-crash",
  "e2e/run.",
  "e2e/reviews",
  "e2e/payouts",
  "e2e/canary",
  "webhook/once",
  "payment/validate-payment",
  "e2e/corridors",
  "webhook/kill",
  "identity/screening-quality",
  "payment/expire-evidence",
  "e2e/thousand-payments",
  "payment/open-parked-cases",
  "e2e/doors",
  "payment/advance-payment",
  "webhook/order",
  "access/rate-limits",
  "webhook/hostile-endpoints",
  "payment/funds",
  "identity/reviews",
  "wallet/statements",
];

const isLong = (path) => long.some((name) => path.includes(`/${name}`));

const rankOf = ({ path }) => (isLong(path) ? long.findIndex((name) => path.includes(`/${name}`)) : long.length);

/** Starts the long files first, even on a fresh clone without jest's timings, so that none runs alone at the end. */
module.exports = class LongFirst {
  sort(tests) {
    return [...tests].sort((one, other) => rankOf(one) - rankOf(other) || one.path.localeCompare(other.path));
  }
  allFailedTests(tests) {
    return tests;
  }
  cacheResults() {}
};

module.exports.isLong = isLong;

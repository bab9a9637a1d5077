/** Packages that exist as modules of the newer kind alone. */
const esmOnly = [
  "jose",
  "any-ascii",
  "commander",
  "clabe-validator",
  "ibantools",
  "@exodus",
  "file-type",
  "strtok3",
  "token-types",
  "uint8array-extras",
  "@tokenizer",
  "@borewit",
  "@faker-js",
  "@dehoist",
];

/**
 * The driver asks for `os` by a dynamic import, which fails in the space of a test unless it is made a `require`. Without it the
 * driver sends an empty description of the client, and MongoDB refuses the connection.
 */
const driverAdapters = "mongodb/lib/runtime_adapters\\.js$";

/** `make mutants` has one line broken on its way through the compiler. */
const compiler = process.env.MUTANT === undefined ? "@swc/jest" : "<rootDir>/test/mutants/mutant-transform.js";

/** One runner for all suites; each `make test-*` target picks a project. */
const base = {
  testEnvironment: "node",
  roots: [
    "<rootDir>/services",
    "<rootDir>/gateway",
    "<rootDir>/sandbox",
    "<rootDir>/cluster",
    "<rootDir>/local",
    "<rootDir>/sdk",
    "<rootDir>/cli",
    "<rootDir>/console",
    "<rootDir>/test",
    "<rootDir>/proto",
  ],
  transform: {
    "\\.[jt]s$": [
      compiler,
      { jsc: { target: "es2024", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join("|")})/|${driverAdapters})`],
  setupFiles: ["<rootDir>/test/support/random-runs.js"],
  // What is imported while a process runs is named as it is called when it is compiled.
  moduleNameMapper: { "^(\\./(?:ask-store|tracing-otel))\\.js$": "$1" },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/sdk/dist", "<rootDir>/cli/dist"],
};

module.exports = {
  reporters: ["default", "<rootDir>/test/support/total-reporter.js"],
  testSequencer: "<rootDir>/test/support/long-first.js",
  // For a machine that does much else. A test that ends needs far less; one that hangs is told all the same.
  testTimeout: 180_000,
  projects: [
    {
      ...base,
      displayName: "unit",
      testMatch: [
        "<rootDir>/{services,gateway,sandbox,cluster,local,sdk,cli,console}/**/*.test.ts",
        "<rootDir>/test/tidy/**/*.test.ts",
      ],
    },
    { ...base, displayName: "integration", testMatch: ["<rootDir>/test/{integration,contract}/**/*.test.ts"] },
    // What `make test` runs in place of `integration`: the same files, several of a folder in one.
    { ...base, displayName: "grouped", testMatch: ["<rootDir>/test/.grouped/**/*.test.ts"] },
    { ...base, displayName: "hostile", testMatch: ["<rootDir>/test/hostile/**/*.test.ts"] },
    { ...base, displayName: "console", testMatch: ["<rootDir>/test/console/**/*.test.ts"] },
    { ...base, displayName: "cluster", testMatch: ["<rootDir>/test/cluster/**/*.test.ts"] },
    { ...base, displayName: "containers", testMatch: ["<rootDir>/test/containers/**/*.test.ts"] },
    {
      ...base,
      displayName: "e2e",
      testMatch: ["<rootDir>/test/e2e/**/*.test.ts"],
      setupFilesAfterEnv: [
        "<rootDir>/test/support/require-described.ts",
        "<rootDir>/test/support/require-true-schemas.ts",
      ],
    },
  ],
};

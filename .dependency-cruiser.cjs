/** Who may import whom. The rules are those of CONTRIBUTING.md; each names the reason that a violation would break. */
const service = "^services/(?!shared/)([^/]+)/";
const testFile = "\\.test\\.ts$";
const wire = "^proto/gen/";

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [testFile, "main\\.tsx?$", "vite\\.config\\.mts$", "^test/", "^proto/gen/", "\\.d\\.ts$"],
      },
      to: {},
    },
    {
      name: "services-meet-in-proto-and-events",
      severity: "error",
      from: { path: service },
      to: { path: "^services/(?!shared/)", pathNot: "^services/$1/" },
    },
    {
      name: "shared-imports-no-service",
      severity: "error",
      from: { path: "^services/shared/", pathNot: testFile },
      to: { path: "^(services/(?!shared/)|gateway/|sandbox/|local/|test/)" },
    },
    {
      name: "the-kernel-stands-alone",
      severity: "error",
      from: { path: "^services/shared/kernel/", pathNot: testFile },
      to: { path: "^services/", pathNot: "^services/shared/kernel/" },
    },
    {
      name: "the-process-knows-the-kernel-alone",
      severity: "error",
      from: { path: "^services/shared/process/", pathNot: testFile },
      to: { path: "^services/", pathNot: "^services/shared/(kernel|process)/" },
    },
    {
      name: "crypto-knows-kernel-and-process",
      severity: "error",
      from: { path: "^services/shared/crypto/", pathNot: testFile },
      to: { path: "^services/", pathNot: "^services/shared/(kernel|process|crypto)/" },
    },
    {
      name: "storage-rpc-and-http-do-not-know-each-other",
      severity: "error",
      from: { path: "^services/shared/(storage|rpc|http)/", pathNot: testFile },
      to: { path: "^services/", pathNot: "^services/shared/(kernel|process|crypto|$1)/" },
    },
    {
      name: "only-the-composition-chooses-adapters-and-workers",
      severity: "error",
      from: { path: service, pathNot: [testFile, `${service}((app|config)\\.ts$|app/|adapters/|workers/|cli/)`] },
      to: { path: `${service}(adapters|workers)/`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "adapters-know-no-workers-operations-or-doors",
      severity: "error",
      from: { path: `${service}adapters/`, pathNot: testFile },
      to: { path: `${service}(workers|operations|handlers|consumers)/`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "gateway-imports-shared-and-proto-only",
      severity: "error",
      from: { path: "^gateway/", pathNot: testFile },
      to: { path: "^(services/(?!shared/)|sandbox/|local/|test/)" },
    },
    {
      name: "sandbox-is-the-outside-world",
      severity: "error",
      from: { path: "^sandbox/", pathNot: testFile },
      to: { path: "^(services/(?!shared/)|gateway/|local/|test/)" },
    },
    {
      name: "domain-is-pure",
      severity: "error",
      from: { path: `${service}domain/`, pathNot: testFile },
      to: {
        pathNot: [
          "^services/$1/domain/",
          "^services/shared/kernel/",
          "^services/shared/crypto/(anchor|credential|sealing)\\.ts$",
          "^(crypto|net)$",
          "^(any-ascii|csv-parse|node_modules/(ajv|csv-parse|saxes|fastest-levenshtein|i18n-iso-countries|ipaddr\\.js)/)",
          "^services/$1/packs/",
        ],
      },
    },
    {
      name: "operations-know-no-transport-and-no-driver",
      severity: "error",
      from: { path: `${service}operations/`, pathNot: testFile },
      to: { path: [wire, "node_modules/(mongoose|mongodb|@grpc|@nats-io|undici|express)"] },
    },
    {
      name: "stores-are-types-to-operations-and-handlers",
      severity: "error",
      from: { path: `${service}(operations|handlers|consumers)/`, pathNot: testFile },
      to: { path: `${service}store/`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "stores-know-no-transport",
      severity: "error",
      from: { path: `${service}store/`, pathNot: testFile },
      to: {
        path: [wire, "node_modules/(@grpc|@nats-io|undici|express)", `${service}(operations|handlers|consumers)/`],
      },
    },
    {
      name: "nobody-imports-what-runs-beside-it",
      severity: "error",
      from: { path: "^(services|gateway|sandbox)/", pathNot: testFile },
      to: { path: "^cluster/" },
    },
    {
      name: "only-stores-see-mongoose",
      severity: "error",
      from: {
        pathNot: [
          `${service}(store/|app(\\.ts|/)|cli/)`,
          "^services/shared/(storage/|bus/|process/ask-store.ts$)",
          "^(test|local|cluster)/",
          testFile,
        ],
      },
      to: { path: "node_modules/(mongoose|mongodb)/" },
    },
    {
      name: "the-client-stands-alone",
      severity: "error",
      from: { path: "^sdk/", pathNot: testFile },
      to: { pathNot: "^sdk/" },
    },
    {
      name: "nothing-of-ours-runs-on-the-client",
      severity: "error",
      from: { pathNot: ["^(sdk|cli|console)/", "^test/", testFile] },
      to: { path: "^sdk/" },
    },
    {
      name: "the-command-line-knows-the-client-alone",
      severity: "error",
      from: { path: "^cli/", pathNot: testFile },
      to: { path: "^(services|gateway|sandbox|cluster|local|proto|test)/" },
    },
    {
      name: "the-console-knows-the-client-alone",
      severity: "error",
      from: { path: "^console/", pathNot: testFile },
      to: { path: "^(services|gateway|sandbox|cluster|local|proto|cli|test)/" },
    },
    {
      name: "a-page-of-the-console-knows-no-other-page",
      severity: "error",
      from: { path: "^console/pages/([^/]+)/" },
      to: { path: "^console/pages/", pathNot: "^console/pages/$1/" },
    },
    {
      name: "nothing-of-ours-runs-on-the-command-line",
      severity: "error",
      from: { pathNot: ["^cli/", "^test/", testFile] },
      to: { path: "^cli/" },
    },
    {
      name: "nothing-imports-tests",
      severity: "error",
      from: { pathNot: ["^test/", testFile] },
      to: { path: "^test/" },
    },
    {
      name: "no-dev-dependency-in-production",
      severity: "error",
      from: { path: "^(services|gateway|sandbox|cluster)/", pathNot: testFile },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|test/clients)/" },
    tsPreCompilationDeps: true,
  },
};

import { setTimeout as sleep } from "node:timers/promises";
import { runProcess } from "../../services/shared/process/lifecycle";
import { makeLogger } from "../../services/shared/process/logger";
import { noTracing } from "../../services/shared/process/tracing";
import { openServiceStore } from "../../services/shared/storage/service-store";
import { splitNames } from "./split-names";

/** A process of a release with a migration, like a service: `<uri> <database> [where it is to hang]`. */
const [uri = "", database = "", hangAt] = process.argv.slice(2);
const logger = makeLogger("migrating", "info");

/** Changes half of the documents, reports that, and never returns. */
const hang = async (): Promise<never> => {
  process.stdout.write("half way\n");
  for (;;) await sleep(1_000);
};

void runProcess(logger, () =>
  openServiceStore({
    uri,
    database,
    profile: "local",
    tracing: noTracing,
    logger,
    everyMs: 50,
    goneAfterMs: 0,
    leaseMs: 2_000,
    migrations: [splitNames(async (place) => (place === hangAt ? await hang() : undefined))],
  }),
);

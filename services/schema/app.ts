import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { type Running, stopAll } from "../shared/process/lifecycle";
import { openRuntime } from "../shared/process/runtime";
import { serveRpc } from "../shared/rpc/rpc-server";
import { openServiceStore } from "../shared/storage/service-store";
import { loadBankDirectories } from "./adapters/files/load-bank-directories";
import { loadPacks } from "./adapters/files/load-packs";
import { makeChecksums } from "./adapters/numbers/checksums";
import { makeIfscCodes } from "./adapters/numbers/ifsc-codes";
import type { SchemaConfig } from "./config";
import { destinationOf } from "./domain/destination";
import { presentSchemas } from "./domain/present-schemas";
import { publishedSchemas } from "./domain/published-schema";
import { checkNumbersHandler } from "./handlers/check-numbers";
import { getBankHandler } from "./handlers/get-bank";
import { getFormHandler } from "./handlers/get-form";
import { getPersonSchemaHandler } from "./handlers/get-person-schema";
import { getSchemaHandler } from "./handlers/get-schema";
import { listBankDirectoriesHandler } from "./handlers/list-bank-directories";
import { listBanksHandler } from "./handlers/list-banks";
import { listDestinationsHandler } from "./handlers/list-destinations";
import { listSchemasHandler } from "./handlers/list-schemas";
import { makeCheckNumbers } from "./operations/check-numbers";
import { makeFindBank } from "./operations/find-bank";
import { makeLoadBanks } from "./operations/load-banks";
import { makePublishSchemas } from "./operations/publish-schemas";
import { makeBankStore } from "./store/bank-store";
import { makeSchemaStore } from "./store/schema-store";

/** Starts the schema service; resolves once it serves. Refuses to start when a published version would change. */
export async function startSchema(
  config: SchemaConfig,
  { packDirectory }: { packDirectory?: string } = {},
): Promise<Running & { port: number }> {
  const packs = await loadPacks(packDirectory);
  const documents = presentSchemas(packs);
  const runtime = await openRuntime("schema", config);
  const mongo = await openServiceStore({
    ...runtime,
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    profile: config.PROFILE,
  });
  const schemas = makeSchemaStore(mongo.connection);
  const banks = makeBankStore(mongo.connection);
  await Promise.all([schemas.init(), banks.init()]);
  const [directoryIds] = await Promise.all([
    makeLoadBanks({ banks })(await loadBankDirectories()),
    makePublishSchemas({ schemas })(documents),
  ]);
  const ifsc = makeIfscCodes();
  const getSchema = getSchemaHandler(documents, schemas);
  const server = await serveRpc(
    SchemaServiceService,
    {
      getSchema,
      getPersonSchema: getPersonSchemaHandler(packs, getSchema),
      getForm: getFormHandler(packs),
      listSchemas: listSchemasHandler(publishedSchemas(documents, await schemas.listVersions())),
      listDestinations: listDestinationsHandler(packs.map(destinationOf)),
      checkNumbers: checkNumbersHandler(makeCheckNumbers({ packs, checksums: makeChecksums(ifsc) })),
      getBank: getBankHandler(makeFindBank({ directoryIds, banks, ifsc })),
      listBanks: listBanksHandler(directoryIds, banks),
      listBankDirectories: listBankDirectoriesHandler(directoryIds, banks),
    },
    { ...runtime, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([runtime, mongo, server]) };
}

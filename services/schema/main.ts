import { runProcess } from "../shared/process/lifecycle";
import { makeLogger } from "../shared/process/logger";
import { startSchema } from "./app";
import { readSchemaConfig } from "./config";

void runProcess(makeLogger("schema", "info"), async () => startSchema(readSchemaConfig()));

import { runProcess } from "../shared/lifecycle";
import { makeLogger } from "../shared/logger";
import { startSchema } from "./app";
import { readSchemaConfig } from "./config";

void runProcess(makeLogger("schema", "info"), async () => startSchema(readSchemaConfig()));

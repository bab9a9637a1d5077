import { runProcess } from "../services/shared/process/lifecycle";
import { makeLogger } from "../services/shared/process/logger";
import { startSandbox } from "./app";
import { readSandboxConfig } from "./config";

const logger = makeLogger("sandbox", "info");

void runProcess(logger, async () => startSandbox(readSandboxConfig(), logger));

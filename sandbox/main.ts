import { runProcess } from "../services/shared/lifecycle";
import { makeLogger } from "../services/shared/logger";
import { startSandbox } from "./app";
import { readSandboxConfig } from "./config";

const logger = makeLogger("sandbox", "info");

void runProcess(logger, async () => startSandbox(readSandboxConfig(), logger));

import { runProcess } from "../services/shared/process/lifecycle";
import { makeLogger } from "../services/shared/process/logger";
import { startGateway } from "./app";
import { readGatewayConfig } from "./config";

void runProcess(makeLogger("gateway", "info"), async () => startGateway(readGatewayConfig()));

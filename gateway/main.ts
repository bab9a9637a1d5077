import { runProcess } from "../services/shared/lifecycle";
import { makeLogger } from "../services/shared/logger";
import { startGateway } from "./app";
import { readGatewayConfig } from "./config";

void runProcess(makeLogger("gateway", "info"), async () => startGateway(readGatewayConfig()));

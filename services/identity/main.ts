import { runProcess } from "../shared/process/lifecycle";
import { makeLogger } from "../shared/process/logger";
import { startIdentity } from "./app";
import { readIdentityConfig } from "./config";

void runProcess(makeLogger("identity", "info"), async () => startIdentity(readIdentityConfig()));

import { runProcess } from "../shared/lifecycle";
import { makeLogger } from "../shared/logger";
import { startIdentity } from "./app";
import { readIdentityConfig } from "./config";

void runProcess(makeLogger("identity", "info"), async () => startIdentity(readIdentityConfig()));

import { runProcess } from "../shared/process/lifecycle";
import { makeLogger } from "../shared/process/logger";
import { startAuth } from "./app";
import { readAuthConfig } from "./config";

void runProcess(makeLogger("auth", "info"), async () => startAuth(readAuthConfig()));

import { runProcess } from "../shared/lifecycle";
import { makeLogger } from "../shared/logger";
import { startAuth } from "./app";
import { readAuthConfig } from "./config";

void runProcess(makeLogger("auth", "info"), async () => startAuth(readAuthConfig()));

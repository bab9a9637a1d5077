import { runProcess } from "../shared/process/lifecycle";
import { makeLogger } from "../shared/process/logger";
import { startFx } from "./app";
import { readFxConfig } from "./config";

void runProcess(makeLogger("fx", "info"), async () => startFx(readFxConfig()));

import { runProcess } from "../shared/lifecycle";
import { makeLogger } from "../shared/logger";
import { startFx } from "./app";
import { readFxConfig } from "./config";

void runProcess(makeLogger("fx", "info"), async () => startFx(readFxConfig()));

import { runProcess } from "../shared/process/lifecycle";
import { makeLogger } from "../shared/process/logger";
import { startWallet } from "./app";
import { readWalletConfig } from "./config";

void runProcess(makeLogger("wallet", "info"), async () => startWallet(readWalletConfig()));

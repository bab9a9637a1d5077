import { runProcess } from "../shared/lifecycle";
import { makeLogger } from "../shared/logger";
import { startWallet } from "./app";
import { readWalletConfig } from "./config";

void runProcess(makeLogger("wallet", "info"), async () => startWallet(readWalletConfig()));

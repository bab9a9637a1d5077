import { runProcess } from "../shared/process/lifecycle";
import { makeLogger } from "../shared/process/logger";
import { startPayment } from "./app";
import { readPaymentConfig } from "./config";

void runProcess(makeLogger("payment", "info"), async () => startPayment(readPaymentConfig()));

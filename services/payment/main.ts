import { runProcess } from "../shared/lifecycle";
import { makeLogger } from "../shared/logger";
import { startPayment } from "./app";
import { readPaymentConfig } from "./config";

void runProcess(makeLogger("payment", "info"), async () => startPayment(readPaymentConfig()));

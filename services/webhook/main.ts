import { runProcess } from "../shared/process/lifecycle";
import { makeLogger } from "../shared/process/logger";
import { startWebhook } from "./app";
import { readWebhookConfig } from "./config";

void runProcess(makeLogger("webhook", "info"), async () => startWebhook(readWebhookConfig()));

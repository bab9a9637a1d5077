import { runProcess } from "../shared/lifecycle";
import { makeLogger } from "../shared/logger";
import { startWebhook } from "./app";
import { readWebhookConfig } from "./config";

void runProcess(makeLogger("webhook", "info"), async () => startWebhook(readWebhookConfig()));

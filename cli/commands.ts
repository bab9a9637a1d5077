import type { CommandRow } from "./command.ts";
import { certifyCommands } from "./commands/certify.ts";
import { completionCommands } from "./commands/completion.ts";
import { doctorCommands } from "./commands/doctor.ts";
import { eventCommands } from "./commands/events.ts";
import { listenCommands } from "./commands/listen.ts";
import { loginCommands } from "./commands/login.ts";
import { createCommands } from "./commands/payment-create.ts";
import { paymentCommands } from "./commands/payments.ts";
import { quoteCommands } from "./commands/quotes.ts";
import { sandboxCommands } from "./commands/sandbox.ts";
import { triggerCommands } from "./commands/trigger.ts";
import { walletCommands } from "./commands/wallets.ts";
import { webhookCommands } from "./commands/webhooks.ts";
import { operatorCommands } from "./operator/commands.ts";
import { sharedOptions } from "./shared-options.ts";

const offered: readonly CommandRow[] = [
  ...loginCommands,
  ...createCommands,
  ...paymentCommands,
  ...quoteCommands,
  ...walletCommands,
  ...webhookCommands,
  ...listenCommands,
  ...eventCommands,
  ...triggerCommands,
  ...sandboxCommands,
  ...doctorCommands,
  ...certifyCommands,
  ...operatorCommands,
];

/** Every command. */
export const commands: readonly CommandRow[] = [...offered, ...completionCommands(offered, sharedOptions)];

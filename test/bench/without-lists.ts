import { paymentTouched } from "../../services/shared/bus/bus-users";
import type { openServiceBus as OpenServiceBus } from "../../services/shared/bus/jetstream";

/**
 * Loaded into a payment service before its own code, this leaves out what keeps the columns of lists: nobody hears of payments,
 * and nobody is told of them. Only the bench does that.
 */
Object.assign(require("../../services/payment/workers/payment-columns-keeper") as object, {
  startColumnsKeeper: () => ({ present: () => undefined, stop: () => Promise.resolve() }),
});
const jetstream = require("../../services/shared/bus/jetstream") as { openServiceBus: typeof OpenServiceBus };
const { openServiceBus } = jetstream;
Object.assign(jetstream, {
  async openServiceBus(...args: Parameters<typeof openServiceBus>) {
    const bus = await openServiceBus(...args);
    const signal: typeof bus.signal = (subject, text) => {
      if (subject !== paymentTouched) bus.signal(subject, text);
    };
    return { ...bus, signal };
  },
});

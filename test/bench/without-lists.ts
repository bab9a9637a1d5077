import * as keeper from "../../services/payment/workers/payment-columns-keeper";
import { paymentTouched } from "../../services/shared/bus/bus-users";
import * as jetstream from "../../services/shared/bus/jetstream";

/**
 * Loaded into a payment service before its own code, this leaves out what keeps the columns of lists: nobody hears of payments,
 * and nobody is told of them. Only the bench does that.
 */
Object.assign(keeper, {
  startColumnsKeeper: () => ({ present: () => undefined, stop: () => Promise.resolve() }),
});
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

import { busAccounts } from "../../services/shared/bus/bus-users";

/**
 * `npm run bus-users`: prints the accounts of nats-server's configuration. Passwords are variables of the server's
 * environment, `CORRIDOR_BUS_PAYMENT` for the user payment.
 */
console.log(busAccounts((user) => `$CORRIDOR_BUS_${user.toUpperCase()}`));

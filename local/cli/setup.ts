import { ensureNatsServer } from "../nats";

/** `make setup`: makes sure that nats-server is here, installing it where that is possible. */
ensureNatsServer().then(
  ({ command, why }) => console.log(`nats-server: ${command} (${why})`),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);

import { ensureNatsServer } from "../nats";

/** `make setup`: ensures that nats-server is present, installing it where possible. */
ensureNatsServer().then(
  ({ command, why }) => console.log(`nats-server: ${command} (${why})`),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);

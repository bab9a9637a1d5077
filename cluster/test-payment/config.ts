import { type Configured, fileContent, readSettings, text, url } from "../../services/shared/process/config";

const settings = {
  TEST_GATEWAY_URL: url("https"),
  TEST_SERVER_NAME: text,
  TEST_CA_FILE: fileContent,
  TEST_CLIENT_ID_FILE: fileContent,
  TEST_CLIENT_SECRET_FILE: fileContent,
};

export type TestPaymentConfig = Configured<typeof settings>;

/** Reads the settings of the release test; throws a ConfigError with every problem. */
export const readTestPaymentConfig = (env: NodeJS.ProcessEnv = process.env): TestPaymentConfig =>
  readSettings(settings, env);

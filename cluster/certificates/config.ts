import {
  type Configured,
  integer,
  readSettings,
  type Setting,
  text,
  url,
  withDefault,
} from "../../services/shared/process/config";

/** Names, separated by commas. */
const names: Setting<readonly string[]> = (value = "") =>
  /^[a-z]+(,[a-z]+)*$/.test(value) ? { value: value.split(",") } : { problem: "must be names separated by commas" };

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

const settings = {
  CERTIFICATES_NAMESPACE: text,
  CERTIFICATES_PREFIX: text,
  CERTIFICATES_SERVICES: names,
  CERTIFICATES_DAYS: integer(2, 365),
  CERTIFICATES_RENEW_BEFORE_DAYS: integer(1, 180),
  // The address and files that every cluster provides to a pod with a token.
  KUBERNETES_API_URL: withDefault(url("https", "http"), "https://kubernetes.default.svc"),
  KUBERNETES_TOKEN_FILE: withDefault(text, `${account}/token`),
  KUBERNETES_CA_FILE: withDefault(text, `${account}/ca.crt`),
};

export type CertificatesConfig = Configured<typeof settings>;

/** Reads the settings of the certificate job; throws a ConfigError with every problem. */
export const readCertificatesConfig = (env: NodeJS.ProcessEnv = process.env): CertificatesConfig =>
  readSettings(settings, env);

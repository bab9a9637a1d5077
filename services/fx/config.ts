import { currencyDigits } from "../shared/kernel/money";
import {
  ConfigError,
  type Configured,
  fileContent,
  integer,
  optional,
  readSettings,
  type Setting,
  text,
  url,
  withDefault,
} from "../shared/process/config";
import { serviceSettings } from "../shared/process/runtime";
import type { RateAddress } from "./adapters/rates/rate-source";

/** `https://…` or `name=https://…`, several with white space between them; without a name the host is the name. */
const rateAddresses: Setting<readonly RateAddress[]> = (value = "") => {
  const addresses = value.split(/\s+/).filter((word) => word !== "");
  const parsed = addresses.map((word): RateAddress | undefined => {
    const [, name, address = ""] = /^(?:([a-z][a-z0-9-]{0,31})=)?(https?:\/\/.+)$/.exec(word) ?? [];
    return URL.canParse(address) ? { source: name ?? new URL(address).host, url: address } : undefined;
  });
  const known = parsed.filter((one) => one !== undefined);
  if (known.length === 0 || known.length > 9 || known.length < addresses.length) {
    return { problem: "must be 1 to 9 addresses with scheme https, each as an address or as name=address" };
  }
  const names = new Set(known.map(({ source }) => source));
  return names.size < known.length ? { problem: "must name each source once" } : { value: known };
};

/** A currency of ISO 4217. */
const currencyCode: Setting<string> = (value = "") =>
  currencyDigits(value) === undefined ? { problem: "must be a currency of ISO 4217" } : { value };

const settings = {
  ...serviceSettings,
  SCHEMA_TARGET: text,
  FX_ROUTES_FILE: optional(fileContent),
  FX_RATE_POLICY_FILE: optional(fileContent),
  FX_QUOTE_TTL_SECONDS: withDefault(integer(60, 3_600), 900),
  FX_RATES_URL: optional(rateAddresses),
  FX_REFERENCE_URL: optional(url("https", "http")),
  FX_RATES_REFRESH_SECONDS: withDefault(integer(1, 86_400), 900),
  FX_RATES_MAX_AGE_SECONDS: withDefault(integer(1, 604_800), 86_400),
  WALLET_TARGET: optional(text),
  PAYMENT_TARGET: optional(text),
  FX_REPORTING_CURRENCY: withDefault(currencyCode, "USD"),
  FX_EXPOSURE_REFRESH_SECONDS: withDefault(integer(1, 3_600), 5),
  FX_EXPOSURE_MAX_AGE_SECONDS: withDefault(integer(1, 86_400), 60),
};

export type FxConfig = Configured<typeof settings>;

/**
 * Reads the fx service's settings; throws a ConfigError with every problem. Production requires live sources, and only the
 * local profile accepts sources without TLS.
 */
export function readFxConfig(env: NodeJS.ProcessEnv = process.env): FxConfig {
  const config = readSettings(settings, env);
  const { PROFILE: profile, FX_RATES_URL: rates, FX_REFERENCE_URL: reference } = config;
  const problems: string[] = [];
  if (profile === "production" && rates === undefined) {
    problems.push("FX_RATES_URL is required in the production profile");
  }
  const hasTargets = config.WALLET_TARGET !== undefined && config.PAYMENT_TARGET !== undefined;
  if (profile === "production" && !hasTargets) {
    problems.push("WALLET_TARGET and PAYMENT_TARGET are required in the production profile");
  }
  const isPlain = (address: string | undefined): boolean => address?.startsWith("http:") === true;
  if (profile !== "local" && (rates ?? []).some(({ url: address }) => isPlain(address))) {
    problems.push(`FX_RATES_URL must have addresses with scheme https in the ${profile} profile`);
  }
  if (profile !== "local" && isPlain(reference)) {
    problems.push(`FX_REFERENCE_URL must be a URL with scheme https in the ${profile} profile`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

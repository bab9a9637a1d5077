import type { Setting } from "../../../shared/process/config";
import { fileContent } from "../../../shared/process/config";

/** Name of the line whose token is presented to every provider without a line of its own. */
const anybody = "*";
const tokenLine = /^([a-z0-9-]{1,63}|\*)=(\S{1,4096})$/;

/** Tokens by provider, parsed from lines `provider=token`; undefined when the text is malformed. */
export function parseTokens(text: string): ReadonlyMap<string, string> | undefined {
  const lines = text.trimEnd().split(/\r?\n/);
  const pairs = lines.flatMap((line) => {
    const [, provider, token] = tokenLine.exec(line) ?? [];
    return provider === undefined || token === undefined ? [] : [[provider, token] as const];
  });
  const tokens = new Map(pairs);
  return tokens.size === lines.length ? tokens : undefined;
}

/** The token that we present to a provider; undefined when none is configured. */
export const tokenOf = (tokens: ReadonlyMap<string, string>, provider: string): string | undefined =>
  tokens.get(provider) ?? tokens.get(anybody);

/** Path of a file with tokens for statements. It is read at each call, so that a token can be replaced. */
export const tokensFile: Setting<string> = (path) => {
  const content = fileContent(path);
  if ("problem" in content) return content;
  return parseTokens(content.value) === undefined
    ? { problem: "must name a file with lines provider=token, one for each provider or *=token for the others" }
    : { value: path ?? "" };
};

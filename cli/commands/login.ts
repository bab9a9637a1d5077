import type { CommandRow, Given } from "../command.ts";
import { shown, textOf } from "../command.ts";
import { connect } from "../context.ts";
import { Usage } from "../failures.ts";
import { logInOperator, wayOf, wayOptions } from "../operator/log-in.ts";
import { dropProfile, isProduction, keepProfile, type Profile, profileVariables } from "../profile.ts";

/** Members that are not secret, with the option for each. */
const plainOptions = [
  ["url", "--url <url>", "address of the platform, for example https://api.example.com"],
  ["clientId", "--client-id <id>", "id of the OAuth client"],
  ["tenant", "--tenant <slug>", "the tenant, for webhooks, people and the feed"],
  ["agentId", "--agent-id <id>", "id of an agent"],
  ["sandboxUrl", "--sandbox-url <url>", "address of the sandbox, where there is one"],
  ["caFile", "--ca-file <path>", "an authority to trust beside the public ones"],
  ["certFile", "--cert-file <path>", "client certificate"],
  ["keyFile", "--key-file <path>", "its key"],
  ["serverName", "--server-name <host>", "the host that the certificate names, as at a port-forward"],
  ["production", "--production <yes|no>", "whether changes are asked about first; yes unless a sandbox is given"],
] as const;

/** Secrets are never options: those show in process lists and in the history of the shell. */
const secrets = [
  ["clientSecret", "client secret", "clientId"],
  ["apiKey", "API key of the tenant (empty for none)", "tenant"],
  ["agentApiKey", "API key of the agent", "agentId"],
] as const;

export const loginCommands: readonly CommandRow[] = [
  {
    words: "login",
    does:
      "Keep a platform's address and credentials in a file that only you can read, after they were tried. Secrets are asked for, " +
      "or read from CORRIDOR_CLIENT_SECRET, CORRIDOR_API_KEY and CORRIDOR_AGENT_API_KEY, or line by line from stdin.",
    options: [
      ...plainOptions.map(([, flags, does]) => ({ flags, does })),
      { flags: "--operator", does: "log in as an operator, at the identity provider" },
      ...wayOptions("with --operator: "),
    ],
    example: "login --url https://api.example.com --client-id shop --tenant shop",
    async run(given) {
      return given.options["operator"] === true ? logInOperator(given.context, wayOf(given)) : logIn(given);
    },
  },
  {
    words: "logout",
    does: "Forget a profile's credentials.",
    example: "logout --profile staging",
    run({ context }) {
      const name = context.profileName ?? "default";
      if (!dropProfile(context.env, name)) throw new Usage(`there is no profile ${name}`);
      context.out.show({ forgotten: name });
      return Promise.resolve(shown);
    },
  },
];

async function logIn(given: Given): Promise<unknown> {
  const { context } = given;
  const { env, profileName = "default" } = context;
  const plain = Object.fromEntries(
    plainOptions.flatMap(([member]) => {
      const value = textOf(given, member) ?? env[profileVariables[member]];
      return value === undefined ? [] : [[member, value]];
    }),
  ) as Profile;
  if (plain.url === undefined || plain.clientId === undefined) throw new Usage("give --url and --client-id");
  const answers: Record<string, string> = {};
  for (const [member, words, goesWith] of secrets) {
    if (plain[goesWith] === undefined) continue;
    const value = env[profileVariables[member]] ?? (await context.askSecret(words));
    if (value !== "") answers[member] = value;
  }
  const profile: Profile = { ...plain, ...answers };
  const production = isProduction(profile);
  await tryProfile(profile);
  const file = keepProfile(env, profileName, profile);
  return { profile: profileName, url: profile.url, clientId: profile.clientId, production, keptIn: file };
}

/** Refused credentials are not stored. */
async function tryProfile(profile: Profile): Promise<void> {
  const corridor = connect({ ...profile, from: "login" });
  await corridor.call("POST /oauth/token", {
    body: {
      grant_type: "client_credentials",
      client_id: profile.clientId ?? "",
      client_secret: profile.clientSecret ?? "",
    },
  });
  if (profile.apiKey !== undefined) await corridor.webhooks.list();
}

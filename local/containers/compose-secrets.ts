import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { issueCertificate, makeAuthority } from "../../cluster/certificates/authority";
import { makeSecrets } from "../../cluster/sandbox-secrets/make-secrets";
import { systemClock } from "../../services/shared/kernel/clock";

const prefix = "corridor";
const programs = ["gateway", "auth", "schema", "fx", "payment", "wallet", "identity", "webhook"];
const days = 3_650;
/** Set by compose.yaml itself for every service, as they hold no password there. */
const addresses: ReadonlySet<string> = new Set(["mongodb-uri", "nats-url"]);

/**
 * Writes the files of compose.yaml's containers, one folder for each: keys, passwords, the bus with its users, a tenant, the
 * gateway's certificate, and certificates for the calls between services. The outer folder is private to its owner; the files
 * in it are readable by the containers' user.
 */
export async function writeComposeSecrets(dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const secrets = await makeSecrets({ prefix, publicHost: "localhost", mongodbUri: "", natsUrl: "" });
  const write = (program: string, files: Readonly<Record<string, string>>): void => {
    mkdirSync(join(dir, program), { recursive: true, mode: 0o755 });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, program, name), text, { mode: 0o644 });
  };
  for (const [name, texts] of Object.entries(secrets)) {
    const files = Object.entries(texts).filter(([key]) => !addresses.has(key));
    write(name.slice(prefix.length + 1), Object.fromEntries(files));
  }
  const own = secrets[`${prefix}-sandbox`] ?? {};
  const lines = [
    `SANDBOX_RAIL_KEY=${own["rail-api-key"]}`,
    `SANDBOX_CALLBACK_SECRET=${own["rail-callback-secret"]}`,
    `SANDBOX_CALLBACK_SECRETS=${own["callback-secrets"]}`,
  ];
  write("sandbox", { "sandbox.env": lines.map((line) => `${line}\n`).join("") });

  const now = systemClock.now();
  const authority = await makeAuthority(`${prefix} services`, { now, days });
  for (const program of programs) {
    const names = [{ type: "dns", value: program }] as const;
    const issued = await issueCertificate(authority, { names, now, days });
    write(program, { "rpc-ca.crt": authority.certificate, "rpc.crt": issued.certificate, "rpc.key": issued.key });
  }
}

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureNatsServer } from "../nats";
import { type BaseImage, ensureBaseImage } from "./base-image";
import type { Engine } from "./engine";

/** Names of the images that containers are started from. */
export interface Images {
  corridor: string;
  bus: string;
}

const busImage = "corridor-bus:local";
/** This machine's nats-server, for tests; its containers mount configuration files. */
const busDockerfile = "ARG NODE_IMAGE\nFROM $NODE_IMAGE\nCOPY nats-server /usr/local/bin/nats-server\n";

/** Builds the image of all services from the tree in the working directory and returns its name, `corridor:<version>`. */
export async function buildImage(engine: Engine, say: (text: string) => void): Promise<string> {
  return await buildCorridor(engine, await ensureBaseImage(engine, say));
}

/** Builds the images of a set of containers. */
export async function buildImages(engine: Engine, say: (text: string) => void): Promise<Images> {
  const base = await ensureBaseImage(engine, say);
  const [corridor, bus] = await Promise.all([buildCorridor(engine, base), buildBus(engine, base)]);
  return { corridor, bus };
}

async function buildCorridor(engine: Engine, base: BaseImage): Promise<string> {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const tag = `corridor:${version}`;
  await inTemporaryFolder(async (dir) => {
    const npmrc = join(dir, "npmrc");
    writeFileSync(npmrc, await npmSettings(base), { mode: 0o600 });
    await engine.docker([...build(base, tag), "--secret", `id=npmrc,src=${npmrc}`, "."]);
  });
  return tag;
}

async function buildBus(engine: Engine, base: BaseImage): Promise<string> {
  const { command } = await ensureNatsServer();
  await inTemporaryFolder(async (dir) => {
    cpSync(command, join(dir, "nats-server"), { dereference: true });
    writeFileSync(join(dir, "Dockerfile"), busDockerfile);
    await engine.docker([...build(base, busImage), dir]);
  });
  return busImage;
}

/** An engine started here has only the host's network. */
const build = ({ reference }: BaseImage, tag: string): string[] => [
  "build",
  "--quiet",
  "--network",
  "host",
  "--build-arg",
  `NODE_IMAGE=${reference}`,
  "--tag",
  tag,
];

/** This machine's npm registry for the build. A stand-in also brings the authorities that this machine trusts. */
async function npmSettings({ isStandIn }: BaseImage): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  const cafile = isStandIn ? "cafile=/etc/ssl/certs/ca-certificates.crt\n" : "";
  return `registry=${stdout.trim()}\n${cafile}`;
}

async function inTemporaryFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-image-"));
  try {
    await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

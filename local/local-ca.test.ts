import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureLocalCa, type LocalCa } from "./local-ca";

const freshDir = (): string => join(mkdtempSync(join(tmpdir(), "corridor-tls-")), "tls");
const contents = (files: LocalCa): string[] => Object.values(files).map((file) => readFileSync(file, "utf8"));

/** Answers the status of one request, or fails as the client's trust check does. */
async function ask(files: LocalCa, host: string, ca: string | undefined): Promise<number | undefined> {
  const tls = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
  const server = createServer(tls, (_req, res) => res.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const options = { host, port, family: 4, agent: false, ...(ca === undefined ? {} : { ca }) } as const;
  try {
    return await new Promise((resolve, reject) => {
      get(options, (res) => resolve(res.resume().statusCode)).on("error", reject);
    });
  } finally {
    server.close();
  }
}

describe("ensureLocalCa", () => {
  it.each(["localhost", "127.0.0.1"])(
    "makes a certificate for %s that those who have the authority trust",
    async (host) => {
      const files = await ensureLocalCa(freshDir());

      expect(await ask(files, host, readFileSync(files.caFile, "utf8"))).toBe(200);
      await expect(ask(files, host, undefined)).rejects.toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    },
  );

  it("keeps what it made, and the keys to their owner", async () => {
    const dir = freshDir();
    const first = contents(await ensureLocalCa(dir));

    expect(contents(await ensureLocalCa(dir))).toEqual(first);
    for (const key of ["ca.key", "localhost.key"]) expect(statSync(join(dir, key)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["7 days before the end", 365 - 6.9, false],
    ["earlier", 365 - 7.1, true],
  ])("looks %s whether it must be made anew", async (_when, days, isKept) => {
    const dir = freshDir();
    const first = contents(await ensureLocalCa(dir));
    const later = new Date(Date.now() + days * 24 * 60 * 60 * 1_000);

    const [ca, certificate] = contents(await ensureLocalCa(dir, later));

    expect(ca).toBe(first[0]);
    expect(certificate === first[1]).toBe(isKept);
  });

  it.each(["ca.key", "ca.crt", "localhost.key", "localhost.crt"])("repairs a missing %s", async (name) => {
    const dir = freshDir();
    await ensureLocalCa(dir);
    rmSync(join(dir, name));

    const renewed = await ensureLocalCa(dir);

    expect(await ask(renewed, "localhost", readFileSync(renewed.caFile, "utf8"))).toBe(200);
  });
});

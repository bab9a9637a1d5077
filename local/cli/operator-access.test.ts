import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { ensureLocalCa } from "../local-ca";
import { openAccess } from "./operator-access";

describe("the way to the operator API", () => {
  const dir = mkdtempSync(join(tmpdir(), "operator-access-"));
  let server: Server;
  let env: Record<string, string>;

  beforeAll(async () => {
    const { caFile, certFile, keyFile } = await ensureLocalCa(dir);
    server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (_request, response) => {
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    // An address that its certificate does not name, as at the near end of a port-forward.
    env = { OPERATOR_URL: `https://127.0.0.2:${port}`, OPERATOR_TOKEN: "t", OPERATOR_CA_FILE: caFile };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true });
  });

  const status = async (changes: Record<string, string | undefined>): Promise<number> => {
    const { operatorUrl, dispatcher } = openAccess({ ...env, ...changes });
    const { statusCode, body } = await request(operatorUrl, { dispatcher });
    await body.dump();
    return statusCode;
  };

  it("goes by another address to the host that its certificate names", async () => {
    expect(await status({ OPERATOR_SERVER_NAME: "localhost" })).toBe(200);
  });

  it.each([
    ["by another address alone", {}, "ERR_TLS_CERT_ALTNAME_INVALID"],
    [
      "to a host that the certificate does not name",
      { OPERATOR_SERVER_NAME: "gateway" },
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ],
    [
      "without the authority",
      { OPERATOR_SERVER_NAME: "localhost", OPERATOR_CA_FILE: undefined },
      /UNABLE_TO|SELF_SIGNED/,
    ],
  ])("does not go %s", async (_how, changes, code) => {
    await expect(status(changes)).rejects.toMatchObject({ code: expect.stringMatching(code) });
  });
});

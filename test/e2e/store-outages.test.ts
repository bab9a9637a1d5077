import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { mongo } from "mongoose";
import type { Platform } from "../../local/platform";
import {
  connectClient,
  freshId,
  insist,
  type PlatformClient,
  pushBody,
  type Reply,
  until,
} from "../support/platform-client";
import { sampleFile } from "../support/sample-files";
import { startTestPlatform } from "../support/test-platform";

/** The first meets the outage on its way; the long run stays in it for more. */
const rounds = Math.min(3, Number(process.env["RANDOM_FACTOR"] ?? "1"));

interface Knock {
  door: string;
  reply: Reply;
}

describe("every door while the store is away", () => {
  let platform: Platform;
  let client: PlatformClient;
  let operators: PlatformClient;
  let doors: Record<string, () => Promise<Reply>>;
  let hasOwnStore: boolean;

  beforeAll(async () => {
    platform = await startTestPlatform();
    hasOwnStore = platform.processes.some(({ name }) => name === "store");
    client = connectClient(platform);
    const { credentials } = platform;
    operators = connectClient({ credentials: { ...credentials, baseUrl: credentials.operatorUrl } });
    const [tenant] = credentials.tenants;
    const json = { "content-type": "application/json" };
    const bearer = { ...json, authorization: `Bearer ${await client.token()}` };
    const operator = { ...json, authorization: `Bearer ${credentials.operatorToken}` };
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const grant = {
      grant_type: "client_credentials",
      client_id: tenant?.clientId ?? "",
      client_secret: tenant?.clientSecret ?? "",
    };
    const quote = await client.quote();
    const wallet = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const post = (path: string, headers: Record<string, string>, body: object) => () =>
      client.send("POST", path, headers, JSON.stringify(body));
    const created = await insist(post("/wallets", bearer, wallet));
    const { walletId } = created.body;
    doors = {
      "a payment": () => client.pay(pushBody(freshId(), quote)),
      "a payment looked up": () => client.payment("unknown"),
      "a wallet": post("/wallets", bearer, wallet),
      "money of a wallet, in bulk writes": () =>
        client.send(
          "POST",
          "/wallets/transaction",
          bearer,
          JSON.stringify({ walletId, externalId: freshId(), amount: 1, paymentType: "CREDIT" }),
        ),
      "a wallet's balance": () => client.send("GET", `/wallets/${String(walletId)}/balance`, bearer),
      "a person": post("/person", bearer, { firstName: "Ada", lastName: "Lovelace", address: { countryCode: "BR" } }),
      "the token endpoint": () => client.send("POST", "/oauth/token", form, new URLSearchParams(grant).toString()),
      "an operator's list": () => operators.send("GET", "/tenants", operator),
      "an operator's change": () =>
        operators.send("POST", "/tenants", operator, JSON.stringify({ tenant: `t-${freshId().slice(-8)}` })),
    };
  });
  afterAll(async () => {
    await client.close();
    await operators.close();
    await platform.stop();
  });

  const knockOnAll = async (): Promise<Knock[]> => {
    const knocks = Object.entries(doors).map(async ([door, knock]) => ({ door, reply: await knock() }));
    return await Promise.all(knocks);
  };
  const knockAgain = async (): Promise<Knock[]> => {
    const all: Knock[] = [];
    for (let round = 0; round < rounds; round += 1) all.push(...(await knockOnAll()));
    return all;
  };

  /** What is not as it should be: anything of the 500s but a 503 that says when to come again. */
  const wrong = (knocks: readonly Knock[]) =>
    knocks.flatMap(({ door, reply: { status, headers, text } }) => {
      const isRight = status < 500 || (status === 503 && Number(headers["retry-after"]) > 0);
      return isRight ? [] : [{ door, status, text }];
    });

  const back = () =>
    until(knockOnAll, (knocks) => knocks.every(({ reply }) => reply.status < 500)).then((knocks) => wrong(knocks));

  it.each(["SIGKILL", "SIGSTOP"] as const)(
    "answers 503 with Retry-After after %s, and nothing is a bug",
    async (signal) => {
      if (!hasOwnStore) return;
      const store = platform.process("store");
      const during = knockAgain();
      if (signal === "SIGKILL") await store.end("SIGKILL");
      else process.kill(store.pid() ?? 0, "SIGSTOP");

      const away = [...(await during), ...(await knockOnAll())];
      if (signal === "SIGKILL") await store.start();
      else process.kill(store.pid() ?? 0, "SIGCONT");

      expect(wrong(away)).toEqual([]);
      expect(away.some(({ reply }) => reply.status === 503)).toBe(true);
      expect(await back()).toEqual([]);
    },
  );

  /** The head of an upload for a person of its own, and what is before and behind the file. */
  async function openForm() {
    const [tenant] = platform.credentials.tenants;
    const key = { "x-api-key": tenant?.apiKey ?? "" };
    const json = { ...key, "content-type": "application/json" };
    const person = { firstName: "Ada", lastName: "Lovelace", address: { countryCode: "BR" } };
    const { body } = await insist(() => client.send("POST", "/people", json, JSON.stringify(person)));
    const part = 'content-disposition: form-data; name="file"; filename="a"\r\ncontent-type: image/png';
    return {
      path: `/people/${String(body["id"])}/documents/PASSPORT`,
      headers: { ...key, "content-type": "multipart/form-data; boundary=b" },
      before: `--b\r\n${part}\r\n\r\n`,
      behind: "\r\n--b--\r\n",
    };
  }

  /** The store stands still from here on; what the work comes to, and how long that takes. */
  async function whileStoreHangs<T>(work: () => Promise<T>): Promise<{ outcome: T; tookMs: number }> {
    const pid = platform.process("store").pid() ?? 0;
    process.kill(pid, "SIGSTOP");
    const startMs = performance.now();
    const outcome = await work().finally(() => process.kill(pid, "SIGCONT"));
    return { outcome, tookMs: performance.now() - startMs };
  }

  it("gives back the place of a file in the usual time when the store hangs", async () => {
    if (!hasOwnStore) return;
    const { path, headers: type, before, behind } = await openForm();
    const send = () => client.send("POST", path, type, `${before}x${behind}`);
    // The key is known from here on, so that the store behind identity is what is missing.
    expect((await send()).status).toBe(400);

    const { outcome, tookMs } = await whileStoreHangs(send);

    expect([outcome.status, outcome.headers["retry-after"]]).toEqual([503, "1"]);
    expect(tookMs).toBeLessThan(20_000);
    expect(await back()).toEqual([]);
  });

  it("gives back the place of a file in the usual time when the store hangs while the file comes", async () => {
    if (!hasOwnStore) return;
    const { path, headers, before, behind } = await openForm();
    const file = sampleFile("png", 4 * 1024 * 1024);
    const sending = request(`${platform.credentials.baseUrl}${path}`, { method: "POST", headers });
    const answered = once(sending, "response") as Promise<[IncomingMessage]>;
    sending.write(before);
    sending.write(file.subarray(0, file.length / 2));
    const store = await mongo.MongoClient.connect(platform.mongoUri);
    const chunks = store.db(platform.database("identity")).collection("documentFiles.chunks");
    await until(
      () => chunks.countDocuments(),
      (kept) => kept > 0,
    );
    await store.close();

    const { outcome, tookMs } = await whileStoreHangs(async () => {
      sending.write(file.subarray(file.length / 2));
      sending.end(behind);
      const [{ statusCode, headers: answer }] = await answered;
      return [statusCode, answer["retry-after"]];
    });

    expect(outcome).toEqual([503, "1"]);
    expect(tookMs).toBeLessThan(20_000);
    expect(await back()).toEqual([]);
  });

  it.each([
    ["steps down", { errorCode: 189 }],
    ["is no primary any more", { errorCode: 10_107 }],
    ["shuts down", { errorCode: 11_600 }],
    ["drops its connections, so that pools are cleared", { closeConnection: true }],
  ])("answers 503 with Retry-After while the primary %s, and nothing is a bug", async (_words, data) => {
    const admin = await mongo.MongoClient.connect(platform.mongoUri);
    const failCommands = [
      "find",
      "insert",
      "update",
      "delete",
      "bulkWrite",
      "findAndModify",
      "aggregate",
      "commitTransaction",
      "getMore",
    ];
    const failpoint = (mode: unknown, facts: object) =>
      admin.db("admin").command({ configureFailPoint: "failCommand", mode, data: facts });
    const during = knockAgain();
    await failpoint("alwaysOn", { failCommands, ...data });

    const away = [...(await during), ...(await knockOnAll())];
    await failpoint("off", {});
    await admin.close();

    expect(wrong(away)).toEqual([]);
    expect(away.some(({ reply }) => reply.status === 503)).toBe(true);
    expect(await back()).toEqual([]);
  });
});

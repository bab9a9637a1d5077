import { getContainerRuntimeClient } from "testcontainers";
import { freshId, type PlatformClient, pushBody, pushStates, type Reply, until } from "../support/platform-client";
import { type ContainerSet, caFile, type Member, startContainers } from "./container-set";
import { describeWithImages } from "./images";

const paymentCount = 40;
const transferCount = 20;
/** One replica is killed each time that so many more payments were accepted. */
const paymentsPerKill = 4;
const patienceMs = 120_000;
const victims = "auth-1 schema-1 fx-1 webhook-1 payment-1 wallet-1 identity-1 gateway-1".split(" ");
/** Programs that are not ours. */
const isOthers = (name: string): boolean => name === "store" || name.startsWith("bus-");

const asList = (value: unknown): Record<string, unknown>[] => value as Record<string, unknown>[];

describeWithImages("two replicas of every service, one of each killed in the middle", (images) => {
  let set: ContainerSet;
  let clients: readonly [PlatformClient, PlatformClient];
  let operators: PlatformClient;
  beforeAll(async () => {
    set = await startContainers(images);
    clients = [set.connect(0), set.connect(1)];
    operators = set.connectOperator(1);
  }, 600_000);
  afterAll(async () => {
    await Promise.all([...clients, operators].map((client) => client.close()));
    await set.stop();
  });

  let turn = 0;
  /** The next gateway's client, as a balancer without memory would choose. */
  const anyone = (): PlatformClient => {
    turn += 1;
    return clients[turn % 2 === 0 ? 0 : 1];
  };
  /** Sends the same again, through the other gateway, while there is no answer or one that asks for it. */
  const insist = (send: (client: PlatformClient) => Promise<Reply>): Promise<Reply> =>
    until(
      () =>
        send(anyone()).catch((error: unknown): Reply => ({ status: 599, headers: {}, text: String(error), body: {} })),
      ({ status, body }) => status < 500 && body["code"] !== "IDM_001",
      patienceMs,
    );
  const call = (method: "GET" | "POST", path: string, body?: object): Promise<Reply> =>
    insist(async (client) => {
      const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
      return client.send(method, path, headers, body === undefined ? undefined : JSON.stringify(body));
    });
  const good = async (reply: Promise<Reply>): Promise<Record<string, unknown>> => {
    const { status, text, body } = await reply;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return body;
  };
  const order = { sourceCurrencyCode: "USD", destinationCurrencyCode: "BRL", paymentMethod: "BANK_ACCOUNT" };

  /** Pays through both gateways; `accepted` is called after each payment. Returns our ids with theirs. */
  async function payAll(accepted: () => Promise<void>): Promise<Map<string, string>> {
    const paid = new Map<string, string>();
    const ids = Array.from({ length: paymentCount }, freshId).values();
    const worker = async (): Promise<void> => {
      for (const id of ids) {
        const quote = await good(call("POST", "/v2/foreign-exchange", order));
        const fx = { fxId: String(quote["fxId"]), conversionRate: Number(quote["conversionRate"]) };
        const payment = await good(insist((client) => client.pay(pushBody(id, fx))));
        paid.set(id, String(payment["paymentId"]));
        await accepted();
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    return paid;
  }

  /** States of every payment, in the order of the tenant's feed. */
  async function statesInFeed(): Promise<Map<string, string[]>> {
    const [tenant] = set.credentials[1].tenants;
    const headers = { "x-api-key": tenant?.apiKey ?? "", "content-type": "application/json" };
    const states = new Map<string, string[]>();
    for (let after = "0"; ; ) {
      const path = `/organizations/demo/events?types=TransactionStatusChanged&limit=200&after=${after}`;
      const body = await good(insist((client) => client.send("GET", path, headers)));
      for (const { payload } of asList(body["events"])) {
        const { externalTransactionId, newStatus } = Object(payload) as Record<string, unknown>;
        const id = String(externalTransactionId);
        states.set(id, [...(states.get(id) ?? []), String(newStatus)]);
      }
      if (body["next"] === after) return states;
      after = String(body["next"]);
    }
  }

  /** Sends as an operator, by the gateway that is not killed. */
  const operate = async (method: "GET" | "POST", path: string): Promise<Reply> => {
    const headers = { authorization: `Bearer ${set.credentials[1].operatorToken}` };
    const reply = await until(
      () => operators.send(method, path, headers),
      ({ status }) => status < 500,
      patienceMs,
    );
    if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
    return reply;
  };

  async function openWallet(): Promise<string> {
    const asked = { accountAsset: "USD", ownerId: "o-1", beneficiaryId: "b-1", type: "PERSONAL" };
    return String((await good(call("POST", "/wallets", asked)))["walletId"]);
  }

  async function transferAll(fromWallet: string, toWallet: string): Promise<void> {
    for (const externalId of Array.from({ length: transferCount }, freshId)) {
      await good(call("POST", "/wallets/transfer", { fromWallet, toWallet, amount: 10, externalId }));
    }
  }

  it("loses and doubles no payment, transfer, event or session, and its ledger is sound", async () => {
    const [from, to] = [await openWallet(), await openWallet()];
    const credit = { walletId: from, externalId: freshId(), amount: 1_000, paymentType: "CREDIT" };
    await good(call("POST", "/wallets/transaction", credit));
    const session = await good(call("POST", "/v1/sessions", { userRef: freshId(), documentTypes: ["PASSPORT"] }));

    const left = victims.values();
    let accepted = 0;
    const killOne = async (): Promise<void> => {
      accepted += 1;
      const victim = accepted % paymentsPerKill === 0 ? left.next().value : undefined;
      if (victim !== undefined) await set.kill(victim);
    };
    const [paid] = await Promise.all([payAll(killOne), transferAll(from, to)]);
    expect(left.next().done).toBe(true);

    const statuses = await Promise.all(
      [...paid.keys()].map(async (id) => {
        const seen = await until(
          () => call("GET", `/v2/payment/${id}`),
          ({ body }) => body["status"] !== "PENDING",
          patienceMs,
        );
        return seen.body["status"];
      }),
    );
    expect(statuses.filter((status) => status !== "CAPTURED")).toEqual([]);
    const book = (await clients[1].book()).map(({ reference, status, releases }) => ({ reference, status, releases }));
    const once = [...paid.values()].map((reference) => ({ reference, status: "PAID", releases: 1 }));
    const byReference = (a: { reference: string }, b: { reference: string }) => (a.reference < b.reference ? -1 : 1);
    expect(book.toSorted(byReference)).toEqual(once.toSorted(byReference));

    const states = await until(
      () => statesInFeed(),
      (found) => [...paid.keys()].every((id) => (found.get(id)?.length ?? 0) >= pushStates.length),
      patienceMs,
    );
    const untold = [...paid.keys()].filter((id) => states.get(id)?.join() !== pushStates.join());
    expect(untold).toEqual([]);

    const balanceOf = async (id: string) => (await good(call("GET", `/wallets/${id}/balance`)))["totalBalance"];
    expect([await balanceOf(from), await balanceOf(to)]).toEqual([800, 200]);

    // The page is at the name that the platform knows, which is an address here.
    const url = new URL(String(session["url"]).replace("http://sandbox:8090", set.credentials[1].sandboxUrl));
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const page = await fetch(url, { method: "POST", headers: form, body: "outcome=verify" });
    expect(page.status).toBe(200);
    const verified = await until(
      () => call("GET", `/v1/sessions/${String(session["sessionId"])}`),
      ({ body }) => body["status"] === "VERIFIED",
      patienceMs,
    );
    expect(verified.body["status"]).toBe("VERIFIED");

    const reconciled = await until(
      () => operate("POST", "/ledger/reconciliations"),
      ({ body }) => asList(body["statements"]).every(({ openItems }) => openItems === 0),
      patienceMs,
    );
    const lines = asList(reconciled.body["statements"]).reduce((sum, { lastLine }) => sum + Number(lastLine), 0);
    const begun = await operate("POST", "/ledger/verifications");
    const verification = await until(
      () => operate("GET", `/ledger/verifications/${String(begun.body["verificationId"])}`),
      ({ body }) => typeof body["finishedAt"] === "string",
      patienceMs,
    );
    const { body: balance } = await operate("GET", "/ledger/trial-balance");
    expect([lines >= paymentCount, asList(reconciled.body["breaks"])]).toEqual([true, []]);
    expect(asList(reconciled.body["statements"]).filter(({ openItems }) => openItems !== 0)).toEqual([]);
    expect([Number(verification.body["entries"]) > paymentCount, verification.body["findings"]]).toEqual([true, []]);
    expect(asList(balance["totals"]).filter(({ amount }) => Number(amount) !== 0)).toEqual([]);
  }, 900_000);

  it("is reached by the command line of the image, by the name in its certificate", async () => {
    const { operatorToken, tenants } = set.credentials[1];
    const [demo] = tenants;
    const env = {
      CORRIDOR_URL: "https://corridor-gateway:8443",
      CORRIDOR_CA_FILE: caFile,
      CORRIDOR_SANDBOX_URL: "http://sandbox:8090",
      CORRIDOR_CLIENT_ID: demo?.clientId ?? "",
      CORRIDOR_CLIENT_SECRET: demo?.clientSecret ?? "",
      OPERATOR_URL: "https://corridor-gateway:8081",
      OPERATOR_CA_FILE: caFile,
      OPERATOR_TOKEN: operatorToken,
    };
    const id = freshId();
    const said: string[] = [];
    for (const words of [
      `payments create --country BRA --id ${id} --wait`,
      `payments get ${id}`,
      "operator tenants list",
    ]) {
      const ended = await set.runOnce(words.split(" "), env);
      said.push(`${ended.code} ${ended.said}`);
    }

    expect(said).toEqual([
      expect.stringMatching(/^0 [\s\S]*CAPTURED/),
      expect.stringMatching(/^0 [\s\S]*CAPTURED/),
      expect.stringMatching(/^0 [\s\S]*"demo"/),
    ]);
  });

  it("runs every container as nobody, without capabilities, on a root that cannot be written", async () => {
    const { container: client } = await getContainerRuntimeClient();
    const alive = set.members.filter(({ name }) => !victims.includes(name));
    const found = await Promise.all(
      alive.map(async ({ name, container }) => {
        const { HostConfig, Config } = await client.getById(container.getId()).inspect();
        const script = "id -u; grep -E '^(CapEff|CapBnd|NoNewPrivs):' /proc/1/status; touch /x /usr/x /etc/x 2>&1";
        const { output } = await container.exec(["sh", "-c", script]);
        return { name, isReadOnly: HostConfig.ReadonlyRootfs, user: Config.User, said: output.trim().split(/\s*\n/) };
      }),
    );

    const readOnly = (path: string) => `touch: cannot touch '${path}': Read-only file system`;
    const nothing = "0000000000000000";
    const said = ["10001", `CapBnd:\t${nothing}`, `CapEff:\t${nothing}`, "NoNewPrivs:\t1"];
    const writes = ["/x", "/usr/x", "/etc/x"].map(readOnly);
    const wanted = found.map(({ name }) => ({
      name,
      isReadOnly: true,
      user: "10001:10001",
      said: [...said, ...writes],
    }));
    expect(found.map((one) => ({ ...one, said: [...one.said.slice(0, 4).toSorted(), ...one.said.slice(4)] }))).toEqual(
      wanted,
    );
  });

  it("is healthy by the image's own check", async () => {
    const { container: client } = await getContainerRuntimeClient();
    const alive = set.members.filter(({ name }) => !victims.includes(name) && !isOthers(name));
    const healthOf = async ({ name, container }: Member): Promise<string> =>
      `${name} ${(await client.getById(container.getId()).inspect()).State.Health?.Status ?? "unknown"}`;
    const health = await until(
      () => Promise.all(alive.map(healthOf)),
      (all) => all.every((one) => one.endsWith(" healthy")),
      patienceMs,
    );

    expect(health).toEqual(alive.map(({ name }) => `${name} healthy`));
  });

  it("ends every container with 0 on SIGTERM", async () => {
    const { container: client } = await getContainerRuntimeClient();
    const alive = set.members.filter(({ name }) => !victims.includes(name) && !isOthers(name));
    const end = async (name: string, id: string) => {
      await client.getById(id).stop({ t: 40 });
      return { name, code: (await client.getById(id).inspect()).State.ExitCode };
    };
    const codes = await Promise.all(alive.map(({ name, container }) => end(name, container.getId())));
    const store = set.members.find(({ name }) => name === "store");
    codes.push(await end("store", store?.container.getId() ?? ""));

    expect(codes.filter(({ code }) => code !== 0)).toEqual([]);
    expect(codes).toHaveLength(victims.length + 2);
  });
});

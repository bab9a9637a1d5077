import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "../../local/free-port";
import type { Platform } from "../../local/platform";
import { formatMoney, money } from "../../services/shared/kernel/money";
import { noTracing } from "../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../services/shared/storage/mongo";
import { type Balance, openLedgerBook, openProviderBook } from "../support/hostile-books";
import { type Course, described, type JudgedWorld, judge, projection, type Seen, show } from "../support/hostile-judge";
import { connectPayment, openSwitches } from "../support/hostile-world";
import { type LyingProxy, lies, slips, startLyingProxy } from "../support/lying-proxy";
import { connectClient, insist, type PlatformClient, type SinkItem, statesOf, until } from "../support/platform-client";
import { racingCallers, type SentPayment } from "../support/racing-callers";
import { randomFrom } from "../support/random-from";
import { startTestPlatform } from "../support/test-platform";

const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
const seed = Number(process.env["HOSTILE_SEED"] ?? (factor === 1 ? 20_261_127 : randomInt(2 ** 31)));
const count = Number(process.env["HOSTILE_PAYMENTS"] ?? (factor === 1 ? 60 : 1_000));
/** The share of calls with which something happens. */
const lying = 0.4;
const inFlight = 15;
const harmEveryMs = 3_000;
const [businessSeconds, turnMs] = [3, 300];
const [shortestPauseMs, longestPauseMs] = [500, 6_000];
const longestMs = 3_600_000;
const sink = "lied-to";
const killed = ["payment", "wallet", "identity", "fx", "webhook", "gateway", "store", "bus", "sandbox"] as const;

interface Movement {
  reference: string;
  kind: string;
}

describe("a platform whose providers are behind a liar, and that is killed", () => {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let isHonest = true;
  let proxies: LyingProxy[];
  let platform: Platform;
  let client: PlatformClient;
  let mongo: Mongo;
  let sandbox: ReturnType<typeof openSwitches>;
  let payment: ReturnType<typeof connectPayment>;

  beforeAll(async () => {
    const [sandboxPort = 0, gatewayPort = 0] = await freePorts(2);
    const lieOr = <T>(list: readonly T[]): T | undefined => (isHonest || random() > lying ? undefined : pick(list));
    const [providers, callbacks] = await Promise.all([
      startLyingProxy(`http://127.0.0.1:${sandboxPort}`, () => lieOr(lies)),
      startLyingProxy(`http://127.0.0.1:${gatewayPort}`, () => lieOr(slips)),
    ]);
    proxies = [providers, callbacks];
    const { url } = providers;
    const fast = { RATE_LIMIT_FACTOR: "1000000" };
    platform = await startTestPlatform({
      ports: { gateway: gatewayPort, gatewayTls: 0, sandbox: sandboxPort, sandboxTls: 0 },
      env: {
        gateway: fast,
        payment: { ...fast, RAIL_BASE_URL: url, LINKER_BASE_URL: `${url}/plaid`, RAIL_TIMEOUT_MS: "800" },
        identity: { KYC_BASE_URL: url, SCREENING_BASE_URL: url, SCREENING_TIMEOUT_MS: "800" },
        sandbox: { SANDBOX_CALLBACK_URL: `${callbacks.url}/provider-callbacks` },
      },
    });
    client = connectClient(platform);
    sandbox = openSwitches(
      platform.credentials.sandboxUrl,
      readFileSync(join(platform.dir, "keys", "rail-api"), "utf8"),
    );
    payment = connectPayment(platform.rpcAddress("payment"));
    const database = platform.database("payment");
    mongo = await openMongo({ uri: platform.mongoUri, database, profile: "local", tracing: noTracing });
    await client.subscribe(sink);
  });
  afterAll(async () => {
    await Promise.all([client.close(), payment.stop(), sandbox.stop(), mongo.stop()]);
    await platform.stop();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  });

  /** Kills or pauses a process from time to time, while business time passes quickly. Returns what it has done. */
  async function harmUntil(isOver: () => boolean): Promise<string[]> {
    const done: string[] = [];
    const passTime = async (): Promise<void> => {
      for (; !isOver(); await delay(turnMs)) await sandbox.advance(businessSeconds).catch(() => undefined);
    };
    const harm = async (): Promise<void> => {
      for (await delay(harmEveryMs); !isOver(); await delay(harmEveryMs * (0.5 + random()))) {
        const one = platform.process(pick(killed));
        const pid = random() < 0.3 ? one.pid() : undefined;
        done.push(`${pid === undefined ? "kill" : "pause"} ${one.name}`);
        if (pid === undefined) {
          await one.end("SIGKILL");
          await one.start();
        } else {
          process.kill(pid, "SIGSTOP");
          await delay(shortestPauseMs + (longestPauseMs - shortestPauseMs) * random());
          process.kill(pid, "SIGCONT");
        }
      }
    };
    await Promise.all([passTime(), harm()]);
    return done;
  }

  async function payAll(): Promise<SentPayment[]> {
    const callers = racingCallers(client, random);
    const sent: SentPayment[] = [];
    const numbers = Array.from({ length: count }, (_, number) => number).values();
    const work = async (): Promise<void> => {
      for (const number of numbers) sent.push(await callers.pay(`lied-${seed}-${number}`));
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    return sent;
  }

  /** The payments as they are stored; one that was accepted and is not there fails. */
  async function coursesOf(sent: readonly SentPayment[]): Promise<Course[]> {
    const payments = mongo.connection.collection<Seen>("payments");
    const courses: Course[] = [];
    for (const { externalId, case: one, answers } of sent) {
      const seen = await payments.findOne({ tenant: "demo", externalId }, { projection });
      if (seen === null)
        throw new Error(`${externalId} is not there; answered: ${answers.map(({ text }) => text).join(", ")}`);
      const { _id: paymentId, state, step } = seen;
      // It is not alone: others' lies stand beside its own.
      courses.push({
        case: one,
        mark: externalId,
        beside: [{ lies: "any" }],
        paymentId,
        state,
        step,
        isQuiet: false,
        refusal: undefined,
      });
    }
    return courses;
  }

  /** What the wallet's ledger has on providers' accounts, where it differs from their books. */
  async function ledgerDiffers(theirs: Balance): Promise<string[]> {
    const { operatorUrl, operatorToken } = platform.credentials;
    const response = await fetch(`${operatorUrl}/ledger/trial-balance`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    const { accounts } = (await response.json()) as { accounts: { path: string; asset: string; amount: string }[] };
    const ours = new Map(accounts.map(({ path, asset, amount }) => [`${path} ${asset}`, amount]));
    return [...theirs].flatMap(([key, minor]) => {
      const [provider = "", currency = ""] = key.split(" ");
      const amount = ours.get(`provider/${provider}/clearing ${currency}`) ?? "0";
      const wanted = `${minor < 0n ? "-" : ""}${formatMoney(money(minor < 0n ? -minor : minor, currency))}`;
      return Number(amount) === Number(wanted) ? [] : [`${key}: ours ${amount}, theirs ${wanted}`];
    });
  }

  async function everyWebhook(known: SinkItem[]): Promise<SinkItem[]> {
    for (;;) {
      const items = await client.sink(sink, known.at(-1)?.sequence ?? 0);
      if (items.length === 0) return known;
      known.push(...items);
    }
  }

  /** Payments whose webhooks are not their states, each once and in order. */
  async function webhooksDiffer(courses: readonly Course[], known: SinkItem[]): Promise<string[]> {
    const items = await everyWebhook(known);
    const wrong: string[] = [];
    for (const { mark } of courses) {
      await client.payment(mark);
      const headers = { authorization: `Bearer ${await client.token()}` };
      const { body } = await insist(() => client.send("GET", `/v2/payment/${mark}/timeline`, headers));
      const states = (body["states"] as { to: string }[]).map(({ to }) => to).join(" ");
      const told = statesOf(items, mark).join(" ");
      if (states !== told) wrong.push(`${mark} went ${states}, and told ${told}`);
    }
    return wrong;
  }

  it(
    "leaves books that agree, or a case that commands resolve to that, and tells each state in order",
    async () => {
      isHonest = false;
      let isOver = false;
      const harming = harmUntil(() => isOver);
      const sent = await payAll().finally(() => {
        isOver = true;
      });
      const harm = await harming;
      isHonest = true;
      await until(
        async () => proxies.map((proxy) => proxy.underWay()),
        (left) => left.every((number) => number === 0),
      );

      const courses = await coursesOf(sent);
      const world: JudgedWorld = { payment, mongo, sandbox };
      const ledger = await openLedgerBook(platform);
      const provider = openProviderBook(sandbox);
      const { verdicts, open, difference } = await judge({ world, ledger, provider }, courses);
      await ledger.stop();
      const { movements } = (await sandbox.call("GET", "/book")) as { movements: Movement[] };
      const outward = movements.filter(({ kind }) => kind === "PAYOUT" || kind === "CAPTURE");
      const doubled = [...Map.groupBy(outward, ({ reference, kind }) => `${reference} ${kind}`)];
      const told = proxies.flatMap((proxy) => [...proxy.told.values()]).reduce((sum, number) => sum + number, 0);
      const resolved = verdicts.filter(({ end }) => end === "resolved").length;
      process.stdout.write(
        `${count} payments with HOSTILE_SEED=${seed}: ${told} lies, ${harm.length} processes killed or paused (${harm.join(", ")}), ` +
          `${resolved} made equal by commands\n`,
      );

      expect(sent.flatMap(({ answers }) => answers.map(({ status }) => status)).every((status) => status === 200)).toBe(
        true,
      );
      expect(sent.filter(({ answers }) => new Set(answers.map(({ text }) => text)).size > 1)).toEqual([]);
      expect(verdicts.filter(({ end }) => end === "wrong").map(described)).toEqual([]);
      expect(open).toEqual([]);
      expect(show(difference)).toBe("nothing");
      expect(doubled.filter(([, of]) => of.length > 1)).toEqual([]);
      expect(
        await until(
          () => ledgerDiffers(provider.total()),
          (wrong) => wrong.length === 0,
        ),
      ).toEqual([]);
      const webhooks: SinkItem[] = [];
      expect(
        await until(
          () => webhooksDiffer(courses, webhooks),
          (wrong) => wrong.length === 0,
        ),
      ).toEqual([]);
    },
    longestMs,
  );
});

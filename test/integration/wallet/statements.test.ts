import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CaseServiceService,
  CaseState,
  DifferenceClass,
  type OpenCaseRequest,
  PaymentLeg,
} from "../../../proto/gen/corridor/payment/v1/case_service";
import type { StatementBreak } from "../../../proto/gen/corridor/wallet/v1/statement";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { DomainError } from "../../../services/shared/kernel/errors";
import { derivedUuid } from "../../../services/shared/kernel/ids";
import type { Running } from "../../../services/shared/process/lifecycle";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { serveRpc } from "../../../services/shared/rpc/rpc-server";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { makeStatementStore } from "../../../services/wallet/store/statement-store";
import { eventually, silent } from "../bus/bus-testbed";
import { funded, openPaymentFacts, type PaymentFacts } from "./payment-facts";
import { startWalletWorld, type WalletRpc, type WalletWorld } from "./wallet-world";

interface Line {
  sequence: number;
  lineId: string;
  reference: string;
  movementId: string;
  kind: string;
  amount: string;
  currency: string;
  bookedAt: string;
  valueDate: string;
}

/** Ends an answer within its text: `length` says more than comes, or nothing says how much should come. */
type Cut = "length" | "chunks" | "close";

/** Sends all of a text but its last bytes. */
function sendCut(response: ServerResponse, text: string, cut: Cut, bytes: number): void {
  const sent = text.slice(0, -bytes);
  if (cut === "close") return void response.writeHead(200, { connection: "close" }).end(sent);
  response.writeHead(200, cut === "length" ? { "content-length": text.length } : {});
  response.write(sent, () => response.destroy());
}

const today = new Date().toISOString().slice(0, 10);
const columns = [
  "sequence",
  "lineId",
  "reference",
  "movementId",
  "kind",
  "currency",
  "bookedAt",
  "valueDate",
  "amount",
];

/** A provider whose statement says what a test wants. */
async function startProvider() {
  const provider = {
    lines: new Map<string, Line[]>(),
    status: 200,
    body: undefined as string | undefined,
    reads: 0,
    cut: undefined as Cut | undefined,
    cuts: 0,
    /** Answers one call as if it had asked for what is behind this many lines. */
    later: undefined as number | undefined,
    /** Names a cursor that is so many lines too far, once. */
    ahead: undefined as number | undefined,
    /** Numbers that pages leave out. */
    skipped: new Set<number>(),
    pageSize: 2,
    /** Behind its last line a page follows on a page without an end: `empty`, or the lines from the first one on again. */
    endless: undefined as "empty" | "again" | undefined,
  };
  const send = (response: ServerResponse, text: string): void => {
    if (provider.cut === undefined) return void response.end(text);
    provider.cuts += 1;
    // Four bytes make 7.00 at the end of a row 7, and a page no JSON.
    sendCut(response, text, provider.cut, 4);
  };
  const server = createServer((request, response) => {
    provider.reads += 1;
    const url = new URL(request.url ?? "", "http://provider");
    const [, , name = "", files, file = ""] = url.pathname.split("/");
    const lines = provider.lines.get(name) ?? [];
    if (request.headers.authorization !== "Bearer the-token") return void response.writeHead(401).end();
    if (provider.status !== 200 || provider.body !== undefined) {
      return void response.writeHead(provider.status).end(provider.body ?? "");
    }
    if (files === "files") {
      const day = file.startsWith(today) ? lines : [];
      const rows = day.map((line) => columns.map((column) => line[column as keyof Line]).join(","));
      const text = `${[columns.join(","), ...rows].join("\n")}\n`;
      return void (rows.length === 0 ? response.end(text) : send(response, text));
    }
    const after = provider.later ?? Number(url.searchParams.get("after"));
    provider.later = undefined;
    const behind = lines.slice(provider.endless === "again" ? after % lines.length : after);
    const page = behind.slice(0, provider.pageSize);
    const { endless } = provider;
    const answer = {
      provider: name,
      lines: page.filter(({ sequence }) => !provider.skipped.has(sequence)),
      next: String(after + (endless === "empty" ? 1 : page.length) + (provider.ahead ?? 0)),
      hasMore: endless !== undefined || behind.length > page.length,
    };
    provider.ahead = undefined;
    send(response, JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return Object.assign(provider, { url: `http://127.0.0.1:${port}`, stop: () => void server.close() });
}

describe("statements of providers", () => {
  let world: WalletWorld;
  let facts: PaymentFacts;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let dir: string;
  let count = 0;
  const running: Running[] = [];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-statements-"));
    await writeFile(join(dir, "tokens"), "other=nothing\n*=the-token\n");
    world = await startWalletWorld();
    facts = await openPaymentFacts(world);
  });
  beforeEach(async () => {
    count += 1;
    provider = await startProvider();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((part) => part.stop()));
    provider.stop();
  });
  afterAll(async () => {
    await facts.stop();
    await world.stop();
    await rm(dir, { recursive: true });
  });

  /** Name of a provider of its own for each test. */
  const rail = (): string => `rail-${count}`;
  const clearing = (): string => `provider/${rail()}/clearing`;

  async function startReader(more: Record<string, string> = {}, form = "pages"): Promise<WalletRpc> {
    const place = { providers: [rail()], kind: "rail", form, url: `${provider.url}/statements/{provider}` };
    const own = {
      WALLET_STATEMENTS: JSON.stringify([place]),
      WALLET_STATEMENT_TOKENS_FILE: join(dir, "tokens"),
      WALLET_STATEMENT_SECONDS: "1",
      WALLET_STATEMENT_GRACE_SECONDS: "1",
      ...more,
    };
    const service = await startWallet(readWalletConfig({ ...world.environment, ...own }));
    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const client = makeRpcClient(WalletServiceService, options);
    running.push({ stop: () => client.stop().then(service.stop) });
    return client;
  }

  const line = (sequence: number, more: Partial<Line> = {}): Line => ({
    sequence,
    lineId: `${rail()}-line-${sequence}`,
    reference: randomUUID(),
    movementId: `m-${sequence}`,
    kind: "PAYOUT",
    amount: "7.00",
    currency: "USD",
    bookedAt: new Date().toISOString(),
    valueDate: today,
    ...more,
  });
  const factOf = ({ reference, movementId }: Line): string =>
    derivedUuid("fact", rail(), "payout", reference, "PAID", movementId);
  const tell = (one: Line, minor = 700n, currency = "USD") =>
    facts.tell({ entryId: factOf(one), postings: funded(minor, clearing(), currency) });
  const breaksOf = async (wallet: WalletRpc): Promise<StatementBreak[]> => {
    const { breaks } = await wallet.listBreaks({ limit: 200 });
    return breaks.filter((one) => one.provider === rail());
  };
  const classes = async (wallet: WalletRpc): Promise<string[]> =>
    (await breaksOf(wallet)).map((one) => one.class).toSorted();
  const state = () => world.mongo.connection.collection<{ _id: string }>("statement_sources").findOne({ _id: rail() });
  const items = (filter: object) =>
    world.mongo.connection.collection("statement_items").countDocuments({ provider: rail(), ...filter });

  it("agree with our account, over pages, and are read from where the last run ended", async () => {
    const lines = Array.from({ length: 5 }, (_, index) => line(index + 1));
    provider.lines.set(rail(), lines);
    await Promise.all(lines.map((one) => tell(one)));
    const wallet = await startReader();

    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 5);
    expect(await classes(wallet)).toEqual([]);
    expect(await state()).toMatchObject({ cursor: "5", last: 5, gaps: [] });
  });

  it("break over what is missing on either side, and end the break when it comes", async () => {
    const [theirs, ours] = [line(1), line(2)];
    provider.lines.set(rail(), [theirs]);
    await tell(ours);
    const wallet = await startReader();
    await eventually(async () => (await classes(wallet)).join() === "MISSING_HERE,MISSING_THERE");
    const found = await breaksOf(wallet);
    expect(found.find((one) => one.class === "MISSING_HERE")).toMatchObject({
      reference: theirs.reference,
      theirs: { currency: "USD", minor: 700n },
    });

    await tell(theirs);
    provider.lines.get(rail())?.push(ours);
    await eventually(async () => (await breaksOf(wallet)).length === 0);
  });

  it("break over another amount and another currency", async () => {
    const [one, two] = [line(1), line(2)];
    provider.lines.set(rail(), [one, two]);
    await tell(one, 600n);
    await tell(two, 700n, "EUR");
    const wallet = await startReader();

    await eventually(async () => (await classes(wallet)).join() === "AMOUNT,CURRENCY");
  });

  it("break over a movement that stands there twice; a line that is read twice is one", async () => {
    const one = line(1);
    provider.lines.set(rail(), [one, one, { ...one, sequence: 2, lineId: "other-line" }]);
    await tell(one);
    const wallet = await startReader();

    await eventually(async () => (await classes(wallet)).join() === "DOUBLED");
    expect((await breaksOf(wallet))[0]?.theirs?.minor).toBe(1_400n);
  });

  it("break over numbers that they leave out, until the lines come late", async () => {
    const lines = [line(1), line(2), line(3), line(4)];
    const [first, second, third, fourth] = lines as [Line, Line, Line, Line];
    provider.lines.set(rail(), [first, fourth]);
    await Promise.all(lines.map((one) => tell(one)));
    const wallet = await startReader();
    await eventually(async () => (await classes(wallet)).includes("GAP"));
    expect((await breaksOf(wallet)).find((one) => one.class === "GAP")?.reference).toBe("2-3");

    provider.lines.get(rail())?.push(third, second);
    await eventually(async () => (await breaksOf(wallet)).length === 0);
  });

  it.each(["later", "ahead"] as const)("are read again from before a cursor that was too far (%s)", async (what) => {
    const lines = Array.from({ length: 9 }, (_, index) => line(index + 1));
    provider.lines.set(rail(), lines);
    await Promise.all(lines.map((one) => tell(one)));
    provider[what] = 4;
    const wallets = [await startReader(), await startReader()];

    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 9);
    expect(await state()).toMatchObject({ cursor: "9", last: 9, gaps: [] });
    await eventually(async () => (await breaksOf(wallets[0] as WalletRpc)).length === 0);
  });

  it("are read again for lines that pages left out, each once, until all have come", async () => {
    const lines = Array.from({ length: 9 }, (_, index) =>
      line(index + 1, index === 3 ? { kind: "FEE", reference: "monthly", amount: "1.25" } : {}),
    );
    provider.lines.set(rail(), lines);
    await Promise.all(lines.filter(({ kind }) => kind !== "FEE").map((one) => tell(one)));
    provider.skipped = new Set([3, 4, 7]);
    const wallet = await startReader();
    const gaps = async (): Promise<string> => {
      const found = (await breaksOf(wallet)).filter((one) => one.class === "GAP");
      return found.map(({ reference }) => reference).toString();
    };
    await eventually(async () => (await gaps()) === "3-4,7-7");

    provider.skipped = new Set([3]);
    await eventually(async () => (await gaps()) === "3-3");
    await startReader();
    provider.skipped = new Set();
    await eventually(async () => (await breaksOf(wallet)).length === 0);
    expect(await items({ purgeAt: { $exists: true } })).toBe(9);
    expect(await state()).toMatchObject({ cursor: "9", last: 9, gaps: [] });
    const { settledMinor } = await wallet.getPromises({ account: clearing(), currency: "USD" });
    expect(settledMinor).toBe(8n * 700n + 125n);
  });

  it("break over a number that comes again with other content, which changes nothing that was read", async () => {
    const [one, fee] = [line(1), line(2, { kind: "FEE", reference: "monthly", amount: "1.25" })];
    provider.lines.set(rail(), [one, fee]);
    await tell(one);
    const wallet = await startReader();
    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 2);

    const other = { lineId: "other-line", movementId: "other" };
    provider.lines.get(rail())?.push({ ...one, amount: "9.00" }, { ...fee, ...other });
    await eventually(async () => (await classes(wallet)).join() === "DOUBLED,DOUBLED");
    const { settledMinor } = await wallet.getPromises({ account: clearing(), currency: "USD" });
    expect(settledMinor).toBe(825n);
  });

  it("have fees that we post once, by two replicas and after a new start", async () => {
    const fee = line(1, { kind: "FEE", reference: "monthly", amount: "1.25" });
    provider.lines.set(rail(), [fee]);
    const wallet = await startReader();
    await startReader();
    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 1);
    await world.mongo.connection.collection<{ _id: string }>("statement_sources").deleteOne({ _id: rail() });
    const before = provider.reads;
    await eventually(() => provider.reads > before + 2);

    const { settledMinor } = await wallet.getPromises({ account: clearing(), currency: "USD" });
    expect(settledMinor).toBe(125n);
    expect(await classes(wallet)).toEqual([]);
  });

  it("end a break with a correction that is linked to the entry, or by an operator's word", async () => {
    const [ours, theirs] = [line(2), line(1)];
    provider.lines.set(rail(), [theirs]);
    await tell(ours);
    const wallet = await startReader();
    await eventually(async () => (await breaksOf(wallet)).length === 2);
    await wallet.postCorrection({
      entryId: randomUUID(),
      kind: "correction",
      reason: "the rail has never paid it",
      links: [factOf(ours)],
      postings: funded(-700n, clearing()),
    });
    await eventually(async () => (await classes(wallet)).join() === "MISSING_HERE");

    const [left] = await breaksOf(wallet);
    const request = { breakId: left?.breakId ?? "", operator: "ann", note: "the rail takes it back tomorrow" };
    await expect(wallet.resolveBreak({ ...request, note: " " })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    const { break: ended } = await wallet.resolveBreak(request);
    expect(ended).toMatchObject({ resolution: "ann: the rail takes it back tomorrow" });
    expect((await wallet.resolveBreak({ ...request, note: "other" })).break).toEqual(ended);
    expect(await classes(wallet)).toEqual([]);
    await expect(wallet.resolveBreak({ ...request, breakId: "none" })).rejects.toMatchObject({
      reason: "RECORD_NOT_FOUND",
    });
  });

  it.each<[string, (broken: typeof provider) => void]>([
    ["a refusal", (broken) => Object.assign(broken, { status: 401 })],
    ["an error", (broken) => Object.assign(broken, { status: 500 })],
    ["no JSON", (broken) => Object.assign(broken, { body: "<html>" })],
    [
      "another provider's page",
      (broken) => Object.assign(broken, { body: '{"provider":"x","lines":[],"next":"0","hasMore":false}' }),
    ],
    ["a page without a cursor", (broken) => Object.assign(broken, { body: `{"provider":"${rail()}","lines":[]}` })],
  ])("are not taken for empty when they are %s, and are read when they can be", async (_case, breakIt) => {
    const one = line(1);
    provider.lines.set(rail(), [one]);
    await tell(one);
    breakIt(provider);
    const wallet = await startReader();
    await eventually(() => provider.reads >= 2);
    expect(await state()).toBeNull();
    expect(await classes(wallet)).toEqual([]);

    Object.assign(provider, { status: 200, body: undefined });
    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 1);
  });

  it.each<[string, Partial<Line>]>([
    ["an amount with too many decimals", { amount: "1.234" }],
    ["an unknown currency", { currency: "XQQ" }],
    ["a kind that a rail does not have", { kind: "CAPTURE" }],
    ["no time", { bookedAt: "yesterday" }],
    ["no number", { sequence: Number.NaN }],
    ["a number that is one only at its beginning", { sequence: "2abc" as unknown as number }],
  ])("are refused as a whole with %s in a line", async (_case, more) => {
    provider.lines.set(rail(), [line(1), line(2, more)]);
    await startReader();
    await eventually(() => provider.reads >= 2);

    expect(await items({})).toBe(0);
  });

  it.each<[string, Cut]>([
    ["pages", "length"],
    ["pages", "chunks"],
    ["pages", "close"],
    ["files", "length"],
    ["files", "chunks"],
    ["files", "close"],
  ])("are not read from %s that end early by their %s, and are read again", async (form, cut) => {
    const one = line(1);
    provider.lines.set(rail(), [one]);
    await tell(one);
    provider.cut = cut;
    const wallet = await startReader({ WALLET_STATEMENT_GRACE_SECONDS: "600" }, form);
    await eventually(() => provider.cuts >= 2);
    const lines = world.mongo.connection.collection("statement_items").find({ provider: rail() });
    expect((await lines.toArray()).flatMap((item) => item["lines"])).toEqual([]);

    provider.cut = undefined;
    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 1);
    expect(await classes(wallet)).toEqual([]);
  });

  it("are read from pages of more lines than a body of a caller may have", async () => {
    provider.pageSize = 200;
    provider.lines.set(
      rail(),
      Array.from({ length: 250 }, (_, index) => line(index + 1)),
    );
    await startReader({ WALLET_STATEMENT_GRACE_SECONDS: "600" });
    await eventually(async () => (await items({})) === 250);
    // Readers of other tests would make breaks of them, more than the first page of breaks has.
    await world.mongo.connection.collection("statement_items").deleteMany({ provider: rail() });
  });

  it("are read at once on command, whoever reads them meanwhile, and the answer says how the books stand", async () => {
    const lines = Array.from({ length: 5 }, (_, index) => line(index + 1));
    const missing = line(6);
    provider.lines.set(rail(), [...lines, missing]);
    const told = await Promise.all(lines.map((one) => tell(one)));
    const entries = world.mongo.connection.collection("entries");
    const seldom = { WALLET_STATEMENT_SECONDS: "3600", WALLET_STATEMENT_GRACE_SECONDS: "1" };
    const wallets = [await startReader(seldom), await startReader(seldom)];
    await eventually(async () => (await state()) !== null);
    // What is told together is posted up to half a second after the first of it.
    await eventually(async () => (await entries.countDocuments({ paymentId: { $in: told } })) === told.length);

    const answers = await Promise.all([...wallets, ...wallets].map((wallet) => wallet.reconcileProviders({})));

    const read = { provider: rail(), lastLine: 6n, openItems: 1n, readAt: expect.any(Date) };
    expect(answers.map(({ statements }) => statements)).toEqual(answers.map(() => [read]));
    expect(await items({ purgeAt: { $exists: true } })).toBe(5);
    const overdue = async () => {
      const { breaks, classes: counts } = (await wallets[0]?.reconcileProviders({})) ?? { breaks: [], classes: [] };
      const own = breaks.filter((one) => one.provider === rail());
      return [own.map((one) => [one.class, one.reference]), counts.some(({ count }) => count > 0n)];
    };
    await eventually(async () => (await overdue()).flat(2).includes("MISSING_HERE"));
    expect(await overdue()).toEqual([[["MISSING_HERE", missing.reference]], true]);

    await tell(missing);
    await eventually(async () => (await wallets[1]?.reconcileProviders({}))?.statements[0]?.openItems === 0n);
    expect((await overdue())[0]).toEqual([]);
  });

  it.each(["empty", "again"] as const)("are not read for ever when their pages do not end: %s", async (endless) => {
    const lines = Array.from({ length: 4 }, (_, index) => line(index + 1));
    provider.lines.set(rail(), lines);
    await Promise.all(lines.map((one) => tell(one)));
    provider.endless = endless;
    const wallet = await startReader({ WALLET_STATEMENT_SECONDS: "3600" });

    await expect(wallet.reconcileProviders({})).rejects.toMatchObject({
      reason: "UNAVAILABLE",
      message: expect.stringContaining(rail()),
    });
    // Twice: the worker's own run, and the command's.
    expect(provider.reads).toBeLessThan(2 * (20 + lines.length));
    expect(await items({})).toBe(4);

    provider.endless = undefined;
    await eventually(async () => {
      await wallet.reconcileProviders({});
      return (await items({ purgeAt: { $exists: true } })) === 4;
    });
    expect(await classes(wallet)).toEqual([]);
  });

  it.each([
    ["not yet", false],
    ["no longer", true],
  ])("break over nothing that may yet agree, while they can %s be read to their end", async (_when, wasRead) => {
    const [agreed, missing] = [line(1), line(2)];
    const publish = async (): Promise<void> => {
      provider.lines.set(rail(), [agreed, missing]);
      await tell(agreed);
      provider.endless = "empty";
    };
    if (!wasRead) await publish();
    const wallet = await startReader();
    if (wasRead) {
      await wallet.reconcileProviders({});
      await publish();
    }
    // Each run reads 22 pages: both lines were there for several of them.
    const before = provider.reads;
    await eventually(() => provider.reads > before + 4 * 22);
    expect(await classes(wallet)).toEqual([]);
    expect(await items({})).toBe(2);

    provider.endless = undefined;
    await eventually(async () => (await classes(wallet)).length > 0);
    expect((await breaksOf(wallet)).map((one) => [one.class, one.reference])).toEqual([
      ["MISSING_HERE", missing.reference],
    ]);
  });

  it("are not said to agree on command when one cannot be read or none is configured", async () => {
    provider.status = 500;
    const wallet = await startReader();
    await expect(wallet.reconcileProviders({})).rejects.toMatchObject({
      reason: "UNAVAILABLE",
      message: expect.stringContaining(rail()),
    });

    const none = await startReader({ WALLET_STATEMENTS: "" });
    await expect(none.reconcileProviders({})).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  });

  it("are not taken from a reader that was overtaken", async () => {
    const { transact, connection } = world.mongo;
    const store = makeStatementStore(connection);
    const start = await store.source(rail());
    const save = (lastLine: number, revision: number) =>
      transact((tx) => store.saveSource(tx, { ...start, last: lastLine, revision }));
    await save(1, 1);
    await save(2, 2);

    await expect(save(9, 2)).rejects.toThrow("is being read by another process");
    await expect(save(9, 1)).rejects.toThrow();
    expect(await store.source(rail())).toMatchObject({ last: 2, revision: 2 });
  });

  it("come as files of days too, which are read again for what is late", async () => {
    const [one, two] = [line(1), line(2)];
    provider.lines.set(rail(), [one]);
    await Promise.all([tell(one), tell(two)]);
    const wallet = await startReader({ WALLET_STATEMENT_GRACE_SECONDS: "600" }, "files");
    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 1);
    provider.lines.get(rail())?.push(two);
    await eventually(async () => (await items({ purgeAt: { $exists: true } })) === 2);
    expect(await classes(wallet)).toEqual([]);
  });

  it("tell each break to the book of cases, again until that has worked", async () => {
    const told: OpenCaseRequest[] = [];
    let isAway = true;
    const refuse = async (): Promise<never> => {
      throw new DomainError("UNAVAILABLE", "not here");
    };
    const handlers = { listCases: refuse, getCase: refuse, commandCase: refuse };
    const openCase = async (request: OpenCaseRequest) => {
      if (isAway) throw new DomainError("UNAVAILABLE", "the store is away");
      if (request.provider === rail()) told.push(request);
      return { caseId: derivedUuid(request.key), state: CaseState.OPEN };
    };
    const metrics = makeMetrics("cases");
    const options = { address: "127.0.0.1:0", tls: undefined, logger: silent, tracing: noTracing, metrics };
    const cases = await serveRpc(CaseServiceService, { ...handlers, openCase }, options);
    running.push(cases);
    const [one, two] = [line(1), line(1)];
    await tell(one);
    const wallet = await startReader({ PAYMENT_TARGET: `ipv4:127.0.0.1:${cases.port}` });
    await eventually(async () => (await breaksOf(wallet)).length === 1);
    isAway = false;
    await eventually(async () => (await breaksOf(wallet))[0]?.caseId !== undefined);
    provider.lines.set(rail(), [two]);
    await eventually(async () => told.length === 2);

    const [there, here] = told;
    expect(there).toMatchObject({ kind: "CASE_KIND_RECONCILIATION_BREAK", amounts: [{ amountMinor: 700n }] });
    expect(there?.text).toContain("MISSING_THERE");
    const amount = { amountMinor: 700n, currency: "USD" };
    expect(there?.difference).toMatchObject({
      class: DifferenceClass.MISSING_THERE,
      leg: PaymentLeg.UNSPECIFIED,
      lineIds: [],
      entryIds: [expect.any(String)],
    });
    expect([there?.difference?.ours, there?.difference?.theirs]).toEqual([amount, undefined]);
    expect(here?.difference).toMatchObject({
      class: DifferenceClass.MISSING_HERE,
      leg: PaymentLeg.PAYOUT,
      lineIds: [two.lineId],
      entryIds: [],
    });
    expect([here?.difference?.ours, here?.difference?.theirs]).toEqual([undefined, amount]);
  });

  it("end with a proof of each day, made once", async () => {
    await world.mongo.connection.collection("daily_proofs").deleteMany({});
    const wallet = await startReader();
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await eventually(async () =>
      wallet.getDailyProof({ day }).then(
        () => true,
        () => false,
      ),
    );
    const proof = await wallet.getDailyProof({ day });
    expect(proof.lines.length).toBeGreaterThan(0);
    expect(proof.lines.map(({ differenceMinor }) => differenceMinor)).toEqual(proof.lines.map(() => 0n));
    const [usd] = proof.lines.filter(({ currency }) => currency === "USD");
    const funding = proof.accounts.filter(
      ({ account, currency }) => account.startsWith("tenant/") && currency === "USD",
    );
    expect(usd?.customersMinor).toBe(funding.reduce((sum, { minor }) => sum + minor, 0n));
    await expect(wallet.getDailyProof({ day: "2020-01-01" })).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseStore } from "../../../local/local-store";
import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { loadBankDirectories } from "../../../services/schema/adapters/files/load-bank-directories";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { type BankDirectory, parseBankDirectory } from "../../../services/schema/domain/bank-directory";
import { makeLoadBanks } from "../../../services/schema/operations/load-banks";
import { makeBankStore } from "../../../services/schema/store/bank-store";
import { type Running, stopAll } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

let store: TestStore;
let mongo: Mongo;

interface Service extends Running {
  schema: Rpc<typeof SchemaServiceService>;
}

const openStore = (word: string): Promise<Mongo> =>
  openMongo({ uri: store.mongoUri, database: store.database(word), profile: "local", tracing: noTracing });

beforeAll(async () => {
  store = await startTestStore();
  mongo = await openStore("banks");
});
afterAll(async () => {
  await mongo.stop();
  await store.stop();
});

async function startService(on: Pick<TestStore, "mongoUri" | "database"> = store): Promise<Service> {
  const service = await startSchema(
    readSchemaConfig({
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: on.mongoUri,
      MONGODB_DATABASE: on.database("banks"),
    }),
  );
  const target = `ipv4:127.0.0.1:${service.port}`;
  const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
  const schema = makeRpcClient(SchemaServiceService, options);
  return { schema, stop: stopAll([service, schema]).stop };
}

describe("the banks of a country", () => {
  let service: Service;
  let schema: Rpc<typeof SchemaServiceService>;

  beforeAll(async () => {
    service = await startService();
    schema = service.schema;
  });
  afterAll(() => service.stop());

  it("are found by code", async () => {
    const { bank } = await schema.getBank({ countryCode: "BR", bankCode: "001" });

    expect(bank).toEqual({ bankCode: "001", bankName: "Banco do Brasil", countryCode: "BR", swift: "BRASBRRJ" });
  });

  it("have no BIC where none is known", async () => {
    const { bank } = await schema.getBank({ countryCode: "BR", bankCode: "047" });

    expect(bank).toEqual({ bankCode: "047", bankName: "Banese", countryCode: "BR", swift: undefined });
  });

  it.each([
    ["an unknown code", "BR", "000"],
    ["the code of another country", "DE", "001"],
    ["a code in lower case", "GM", "abcdgmgm"],
    ["the beginning of a code", "BR", "00"],
    ["a country without a directory", "CD", "001"],
    ["an alpha-3 country", "BRA", "001"],
    ["a country in lower case", "br", "001"],
    ["an operator", "BR", "$ne"],
  ])("are not found by %s", async (_case, countryCode, bankCode) => {
    await expect(schema.getBank({ countryCode, bankCode })).rejects.toMatchObject({ reason: "BANK_NOT_FOUND" });
  });

  it("come on pages that join without gap or repeat, in the order of their codes", async () => {
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => schema.listBanks({ countryCode: "BR", page, pageSize: 10 })),
    );
    const codes = pages.flatMap(({ banks }) => banks.map(({ bankCode }) => bankCode));
    const whole = await schema.listBanks({ countryCode: "BR", page: 0, pageSize: 500 });

    expect(pages.map(({ banks }) => banks.length)).toEqual([10, 10, 10, 2]);
    expect(pages.map(({ total }) => total)).toEqual([32, 32, 32, 32]);
    expect(codes).toEqual(whole.banks.map(({ bankCode }) => bankCode));
    expect(codes).toEqual([...new Set(codes)].toSorted());
  });

  it.each([4, 1_000_000, 4_294_967_295])("have nothing on page %d, which is beyond the end", async (page) => {
    expect(await schema.listBanks({ countryCode: "BR", page, pageSize: 500 })).toEqual({ banks: [], total: 32 });
  });

  it.each([0, 501])("are refused on pages of %d", async (pageSize) => {
    await expect(schema.listBanks({ countryCode: "BR", page: 0, pageSize })).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [{ field: "resultsPerPage" }],
    });
  });

  it("are listed with where they are known from", async () => {
    const all = await schema.listBankDirectories({});
    const one = await schema.listBankDirectories({ countryCode: "BR" });

    expect(all.directories.map(({ countryCode }) => countryCode)).toEqual(
      (await loadBankDirectories()).map(({ country }) => country),
    );
    expect(one.directories).toEqual(all.directories.filter(({ countryCode }) => countryCode === "BR"));
    expect(one.directories[0]).toMatchObject({ codeScheme: "COMPE", published: true });
    expect(one.directories[0]?.sources).toContain("COMPE codes of package bancos-brasileiros 6.3");
    await expect(schema.listBankDirectories({ countryCode: "AQ" })).rejects.toMatchObject({ reason: "BANK_NOT_FOUND" });
  });
});

describe("the branches of India", () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const find = (bankCode: string) => service.schema.getBank({ countryCode: "IN", bankCode });

  it.each([
    ["of a listed bank, digits alone", "HDFC0000053", { bankName: "HDFC Bank", swift: "HDFCINBB" }],
    ["of a listed bank, with letters", "BARB0ANDHER", { bankName: "Bank of Baroda", swift: "BARBINBB" }],
    ["of a bank that only the code list knows", "ABHY0065001", { bankName: "Abhyudaya Co-operative Bank" }],
    [
      "of a bank that uses another one's codes",
      "HDFC0CADARS",
      { bankName: "Adarsh Co-operative Bank", swift: undefined },
    ],
  ])("are found by IFSC: one %s", async (_case, bankCode, facts) => {
    expect((await find(bankCode)).bank).toMatchObject({ bankCode, countryCode: "IN", ...facts });
  });

  it.each(["HDFC0888888", "HDFC1000053", "hdfc0000053", "ZZZZ0000001", "HDFC", "__proto__00"])(
    "are not found by %s",
    async (bankCode) => {
      await expect(find(bankCode)).rejects.toMatchObject({ reason: "BANK_NOT_FOUND" });
    },
  );
});

describe("the load of bank directories", () => {
  let mongoOfTest: Mongo;
  let databases = 0;
  const banks = () => makeBankStore(mongoOfTest.connection);
  const collection = () => mongoOfTest.connection.collection("bankDirectories");
  const stored = () => collection().find({}).sort({ _id: 1 }).toArray();
  const renamed = ({ country, banks: rows }: BankDirectory, name: string): BankDirectory => {
    const file = {
      country,
      scheme: "s",
      basis: "published",
      sources: ["list"],
      banks: rows.map((row) => ({ ...row, name })),
    };
    return parseBankDirectory(JSON.stringify(file), new Map([["list", "A list"]]), "test");
  };

  beforeEach(async () => {
    databases += 1;
    mongoOfTest = await openStore(`load-${databases}`);
    await banks().init();
  });
  afterEach(() => mongoOfTest.stop());

  it("writes nothing when it is repeated", async () => {
    const directories = await loadBankDirectories();
    const load = makeLoadBanks({ banks: banks() });
    const ids = await load(directories);
    const insert = jest.spyOn(collection(), "insertMany");

    expect(await load(directories)).toEqual(ids);
    expect(insert).not.toHaveBeenCalled();
    expect(await stored()).toHaveLength(130);
  });

  it("adds the others when a rival adds one between its look and its write", async () => {
    const directories = await loadBankDirectories();
    const insertMany = collection().insertMany.bind(collection());
    jest.spyOn(collection(), "insertMany").mockImplementationOnce(async (records, options) => {
      await insertMany(records.slice(3, 4));
      return insertMany(records, options);
    });
    await makeLoadBanks({ banks: banks() })(directories);

    expect(await stored()).toHaveLength(130);
  });

  it("ends in the same content when replicas start at once", async () => {
    const directories = await loadBankDirectories();
    await Promise.all(Array.from({ length: 4 }, () => makeLoadBanks({ banks: banks() })(directories)));

    expect((await stored()).map(({ _id }) => String(_id))).toEqual(directories.map(({ id }) => id));
  });

  it("is carried on where an earlier start was cut off", async () => {
    const directories = await loadBankDirectories();
    await banks().addMissing(directories.slice(0, 7));
    await makeLoadBanks({ banks: banks() })(directories);

    expect(await stored()).toHaveLength(130);
  });

  it("adds changed content beside the old, so that replicas of two releases each serve their own", async () => {
    const [directory] = await loadBankDirectories();
    if (directory === undefined) throw new Error("there is no directory");
    const [one, two] = [renamed(directory, "One"), renamed(directory, "Two")];
    const code = directory.banks[0]?.code ?? "";
    const old = await makeLoadBanks({ banks: banks() })([one]);
    const present = await makeLoadBanks({ banks: banks() })([two]);
    await makeLoadBanks({ banks: banks() })([one]);

    const nameFrom = async (ids: typeof old) => (await banks().find(ids.get(directory.country) ?? "", code))?.name;
    expect([await nameFrom(old), await nameFrom(present)]).toEqual(["One", "Two"]);
  });
});

describe("the schema service without its store", () => {
  it("says that banks cannot be had now, and serves on what it has in memory", async () => {
    // One that can be stopped, also where the other tests share a configured one.
    const dir = await mkdtemp(join(tmpdir(), "banks-store-"));
    const ownStore = await chooseStore({ dir, log: () => {}, env: { PATH: process.env["PATH"] } });
    const { schema, stop } = await startService({ mongoUri: ownStore.uri, database: (word) => word });
    try {
      expect((await schema.getBank({ countryCode: "BR", bankCode: "001" })).bank).toBeDefined();
      await ownStore.stop();

      const refusal = { reason: "UNAVAILABLE" };
      await expect(schema.getBank({ countryCode: "BR", bankCode: "001" })).rejects.toMatchObject(refusal);
      await expect(schema.listBanks({ countryCode: "BR", page: 0, pageSize: 1 })).rejects.toMatchObject(refusal);
      expect((await schema.listDestinations({})).destinations).toHaveLength(133);
      expect((await schema.getPersonSchema({ countryCode: "BR" })).etag).toBeTruthy();
    } finally {
      await stop();
      await rm(dir, { recursive: true, force: true });
    }
  });
});

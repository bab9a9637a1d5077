import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mongo } from "mongoose";
import {
  CreateTransactionResponse,
  CreateTransferResponse,
  TransferIntent,
  VoidTransactionResponse,
  VoidTransferResponse,
  WalletTransactionIntent,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLedgerKeys } from "../../../services/wallet/domain/ledger-keys";
import { checkMark } from "../../../services/wallet/domain/verification";
import { decodeTransaction, decodeTransfer } from "../../../services/wallet/handlers/request-codec";
import { makeEntryStore } from "../../../services/wallet/store/entry-store";
import { textOf } from "../../support/wallet-intents";
import { asAnswer, holdOf, startWalletWorld, tenant, voidOf, type WalletWorld } from "./wallet-world";

/**
 * What releases have written, which every later one must read alike. The files only grow: a new version of fingerprints or a new
 * form of receipts gets a file of its own beside them.
 */
const golden = (name: string): unknown => JSON.parse(readFileSync(join(__dirname, "../../data/golden", name), "utf8"));
const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

interface Fingerprint {
  says: string;
  message: string;
  rows: Record<string, string>;
}

interface Receipt {
  says: string;
  call: Call;
  response: string;
  text: string;
}

/** A request whose first answer is in the records. */
interface Repeat {
  says: string;
  call: Call;
  request: string;
  text: string;
}

type Call = "createTransaction" | "confirmTransaction" | "voidTransaction" | "createTransfer" | "voidTransfer";

const responseCodecs = {
  createTransaction: CreateTransactionResponse,
  confirmTransaction: VoidTransactionResponse,
  voidTransaction: VoidTransactionResponse,
  createTransfer: CreateTransferResponse,
  voidTransfer: VoidTransferResponse,
} as const;

describe("golden fingerprints, version 2", () => {
  const { transactions, transfers } = golden("wallet-fingerprints-2.json") as Record<
    "transactions" | "transfers",
    Fingerprint[]
  >;

  it.each(transactions)("of a transaction: $says", ({ message, rows }) => {
    const intent = WalletTransactionIntent.decode(bytes(message));

    expect(decodeTransaction({ tenant, intent, answerForm: 1 }).fields).toEqual(rows);
  });

  it.each(transfers)("of a transfer: $says", ({ message, rows }) => {
    const intent = TransferIntent.decode(bytes(message));

    expect(decodeTransfer({ tenant, intent, answerForm: 1 }).fields).toEqual(rows);
  });

  it("are at least 40", () => {
    expect(transactions.length + transfers.length).toBeGreaterThanOrEqual(40);
  });
});

describe("golden receipts", () => {
  const receipts = golden("wallet-receipts-1.json") as Receipt[];

  it.each(receipts)("in form 1: $says", ({ call, response, text }) => {
    const receipt = responseCodecs[call].decode(bytes(response));

    expect(textOf(receipt)).toBe(text);
    // Form 0 is that of callers who render none.
    expect(textOf({ ...receipt, answerForm: 0 })).toBe(text);
    expect(() => textOf({ ...receipt, answerForm: 2 })).toThrow(expect.objectContaining({ reason: "UNAVAILABLE" }));
  });
});

describe("golden records", () => {
  const { records, repeats } = golden("wallet-records-1.json") as {
    records: Record<string, object[]>;
    repeats: Repeat[];
  };
  let world: WalletWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
    for (const [name, documents] of Object.entries(records)) {
      const text = JSON.stringify(documents);
      const read = mongo.BSON.EJSON.parse(text, { relaxed: false, useBigInt64: true }) as mongo.Document[];
      await world.mongo.connection.collection(name).insertMany(read);
    }
  });
  afterAll(() => world.stop());

  const repeat = async ({ call, request }: Repeat) => {
    const { wallet } = world;
    switch (call) {
      case "createTransaction": {
        const transaction = WalletTransactionIntent.decode(bytes(request));
        return asAnswer(await wallet.createTransaction({ tenant, transaction, answerForm: 1 }));
      }
      case "createTransfer": {
        const transfer = TransferIntent.decode(bytes(request));
        return asAnswer(await wallet.createTransfer({ tenant, transfer, answerForm: 1 }));
      }
      case "voidTransfer":
        return asAnswer(await wallet.voidTransfer(voidOf(bytes(request).toString())));
      default:
        return asAnswer(await wallet[call](holdOf(bytes(request))));
    }
  };

  it.each(repeats)("answer the request again with the first bytes: $says", async (one) => {
    expect(await repeat(one)).toMatchObject({ replayed: true, text: one.text });
  });

  it("tell another request from the first", async () => {
    for (const { call, request } of repeats.filter(({ call }) => call === "createTransaction")) {
      const transaction = { ...WalletTransactionIntent.decode(bytes(request)), description: "another" };
      await expect(
        world.wallet[call as "createTransaction"]({ tenant, transaction, answerForm: 1 }),
      ).rejects.toMatchObject({
        reason: "IDEMPOTENCY_CONFLICT",
        details: { fields: ["description"] },
      });
    }
  });

  it("carry the mark that today's rules give them", async () => {
    const keys = makeLedgerKeys([Buffer.alloc(32, 0x5a)], systemIds);
    const entries = makeEntryStore(world.mongo.connection);
    for (const { _id: id } of records["entries"] as { _id: string }[]) {
      const entry = await entries.find(id);
      expect(entry && checkMark(keys, entry)).toEqual([]);
    }
  });

  it("of a later release are refused as unavailable, never as another request", async () => {
    const first = repeats.find(({ call }) => call === "createTransaction");
    const entries = world.mongo.connection.collection("entries");
    await entries.updateMany({ kind: "credit" }, { $set: { contentVersion: 3 } }, { hint: "_id_" });

    await expect(first && repeat(first)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await entries.updateMany({ kind: "credit" }, { $set: { contentVersion: 2 } }, { hint: "_id_" });
  });
});

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "./database";

const freshDatabase = () => {
  const database = openDatabase(mkdtempSync(join(tmpdir(), "corridor-sandbox-")));
  database.sql.exec("CREATE TABLE words (word TEXT PRIMARY KEY)");
  const statement = database.sql.prepare("INSERT INTO words VALUES (?)");
  const insert = (...added: string[]) => database.write(() => added.map((word) => statement.run(word).changes));
  const words = () => database.sql.prepare("SELECT word FROM words ORDER BY rowid").all();
  return { database, insert, words };
};

describe("openDatabase", () => {
  it("keeps the order of writes of one turn, and undoes only the one that fails", async () => {
    const { database, insert, words } = freshDatabase();

    const outcomes = await Promise.allSettled([insert("a"), insert("b"), insert("x", "a"), insert("c")]);

    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(words()).toMatchObject([{ word: "a" }, { word: "b" }, { word: "c" }]);
    await database.close();
  });

  it("rejects every write of a turn that cannot be committed", async () => {
    const { database, insert } = freshDatabase();
    const writes = [insert("a"), insert("b")];
    database.sql.close();

    const outcomes = await Promise.allSettled(writes);

    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("rejects every write of a turn with the error that undid the transaction", async () => {
    const { database, insert, words } = freshDatabase();
    const full = database.write(() => {
      database.sql.exec("ROLLBACK");
      throw new Error("disk I/O error");
    });

    const outcomes = await Promise.allSettled([insert("a"), full, insert("b")]);

    const rejected = { status: "rejected", reason: new Error("disk I/O error") };
    expect(outcomes).toEqual([rejected, rejected, rejected]);
    expect(words()).toEqual([]);
    await expect(insert("c")).resolves.toEqual([1]);
    await database.close();
  });

  it("finishes pending writes before it closes", async () => {
    const { database, insert } = freshDatabase();

    const write = insert("a");
    await database.close();

    await expect(write).resolves.toEqual([1]);
  });
});

describe("afterCommit", () => {
  it("runs a write's follow-up once it is on disk, and none of a failed write", async () => {
    const { database, insert } = freshDatabase();
    const ran: string[] = [];
    const write = (word: string, fails: boolean) =>
      database.write(() => {
        database.afterCommit(() => ran.push(word));
        if (fails) throw new Error(word);
      });

    await Promise.allSettled([write("a", false), write("b", true), insert("c"), write("d", false)]);

    expect(ran).toEqual(["a", "d"]);
    await database.close();
  });
});

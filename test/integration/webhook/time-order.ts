import type { Mongo } from "../../../services/shared/storage/mongo";

interface Times {
  _id: string;
  createdAt: Date;
  endedAt: Date | null;
  log: { at: Date; durationMs: number }[];
}

interface StoredLog {
  _id: string;
  createdAt: Date;
  items: { id: string; attempt: { at: Date } }[];
}

/** Steps of all records, each with times that must not run backwards. */
export async function timesOutOfOrder({ connection }: Mongo): Promise<string[]> {
  const wrong: string[] = [];
  const expectOrder = (record: string, steps: readonly (readonly [string, Date | null | undefined])[]): void => {
    const known = steps.flatMap(([name, at]) => (at === null || at === undefined ? [] : [{ name, at }]));
    for (const [index, { name, at }] of known.entries()) {
      const before = known[index - 1];
      if (before !== undefined && before.at > at) wrong.push(`${record}: ${name} is before ${before.name}`);
    }
  };
  const all = <T extends object>(collection: string) => connection.collection(collection).find<T>({}).sort({ _id: 1 });
  for await (const { _id, createdAt, endedAt, log } of all<Times>("deliveries")) {
    const attempts = log.flatMap(({ at, durationMs }, index) => [
      [`attempt ${index + 1}`, at] as const,
      [`end of attempt ${index + 1}`, new Date(at.getTime() + Math.floor(durationMs))] as const,
    ]);
    expectOrder(`delivery ${_id}`, [["createdAt", createdAt], ...attempts, ["endedAt", endedAt]]);
  }
  for await (const { createdAt, items } of all<StoredLog>("delivery_logs")) {
    for (const { id, attempt } of items)
      expectOrder(`delivery ${id}`, [
        ["createdAt", createdAt],
        ["its attempt", attempt.at],
      ]);
  }
  for await (const one of all<{ _id: string; createdAt: Date; disabled: { at: Date } | null }>("subscriptions"))
    expectOrder(`subscription ${one._id}`, [
      ["createdAt", one.createdAt],
      ["disabled.at", one.disabled?.at],
    ]);
  for await (const one of all<{ _id: string; createdAt: Date; secret: { rotatedAt: Date } | null }>("subscriptions"))
    expectOrder(`subscription ${one._id}`, [
      ["createdAt", one.createdAt],
      ["rotatedAt", one.secret?.rotatedAt],
    ]);
  for await (const one of all<{ _id: string; at: Date; publishedAt: Date | null }>("subscription_changes"))
    expectOrder(`change ${one._id}`, [
      ["at", one.at],
      ["publishedAt", one.publishedAt],
    ]);
  return wrong;
}

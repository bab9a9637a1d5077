import fc from "fast-check";
import { joinOutboxes } from "./joined-outbox";
import type { OutboxMessage, OutboxSource } from "./outbox";

/** A source in memory whose messages are named after their positions. */
function sourceOf(name: string, count: number): OutboxSource<OutboxMessage> & { left(): string[] } {
  const place = ({ id }: OutboxMessage): number => Number.parseInt(id.split(":")[1] ?? "", 10);
  const all = Array.from({ length: count }, (_unused, index): OutboxMessage => {
    const payload = new Uint8Array();
    return { id: `${name}:${index}`, subject: name, payload, traceparent: undefined, committedAt: new Date(0) };
  });
  const published = new Set<string>();
  return {
    pending: (limit, after) =>
      Promise.resolve(
        all
          .filter((one) => !published.has(one.id) && (after === undefined || place(one) > place(after)))
          .slice(0, limit),
      ),
    markPublished(messages) {
      for (const { id } of messages) published.add(id);
      return Promise.resolve();
    },
    async *since() {
      yield* all;
    },
    left: () => all.flatMap(({ id }) => (published.has(id) ? [] : [id])),
  };
}

describe("joined outboxes", () => {
  it("give every message of each source once, in its order, however long the pages are", async () => {
    const counts = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(counts, fc.integer({ min: 1, max: 7 }), async (sizes, limit) => {
        const sources = sizes.map((size, index) => sourceOf(`s${index}`, size));
        const joined = joinOutboxes(...sources);
        const expected = sources.flatMap((source) => source.left());
        const seen: string[] = [];
        let page = await joined.pending(limit);
        while (page.length > 0) {
          seen.push(...page.map(({ id }) => id));
          expect(page.length).toBeLessThanOrEqual(limit);
          page = await joined.pending(limit, page.at(-1));
        }
        expect(seen).toEqual(expected);

        const again: string[] = [];
        for await (const { id } of joined.since(new Date(0))) again.push(id);
        expect(again).toEqual(expected);
      }),
      { seed: 20_261_121 },
    );
  });

  it("mark a message in the source that it came from", async () => {
    const [one, other] = [sourceOf("one", 2), sourceOf("other", 2)];
    const joined = joinOutboxes(one, other);
    const page = await joined.pending(3);
    await joined.markPublished(page);

    expect([one.left(), other.left()]).toEqual([[], ["other:1"]]);
  });
});

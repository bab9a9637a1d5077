import { call, freshDir, startWorld } from "./outside-world";

interface Item {
  sequence: number;
  receivedAt: string;
  headers: Record<string, string>;
  body: string;
}

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", "x-mark": "kept" } });
const items = async (url: string): Promise<Item[]> => (await call("GET", url)).body["items"] as Item[];

describe("the webhook sink", () => {
  it("keeps exact bodies, headers and order, apart by name and across a restart", async () => {
    const bodies = ['{"b":1,  "a":2.10}', '{"a":"é 漢字"}\n', "", "not json"];
    const dataDir = freshDir();
    const first = await startWorld({ dataDir });
    for (const body of bodies) expect((await post(`${first.url}/sink/mine`, body)).status).toBe(200);
    await post(`${first.url}/sink/other`, "theirs");
    await first.stop();

    const second = await startWorld({ dataDir });
    const kept = await items(`${second.url}/sink/mine`);
    const rest = await items(`${second.url}/sink/mine?after=${kept[1]?.sequence}`);
    await second.stop();

    expect(kept.map(({ body }) => body)).toEqual(bodies);
    expect(kept.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(kept[0]).toMatchObject({ headers: { "x-mark": "kept" }, receivedAt: expect.stringMatching(/Z$/) });
    expect(rest).toEqual(kept.slice(2));
  });
});

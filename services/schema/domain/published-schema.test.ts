import { publishedSchemas } from "./published-schema";

const document = (name: string, version: string) => ({ name, version, bytes: Buffer.from(`{"title":"${name}!"}`) });

it("lists each name with its versions, oldest first", () => {
  const known = ["1.10.0", "1.9.0", "2.0.0", "1.9.1"].map((version) => ({ name: "KEN", version }));
  const listed = publishedSchemas([document("push", "1.0.0"), document("KEN", "2.0.0")], known);

  expect(listed).toMatchObject([
    { name: "KEN", title: "KEN!", version: "2.0.0", versions: ["1.9.0", "1.9.1", "1.10.0", "2.0.0"] },
    { name: "push", versions: [] },
  ]);
});

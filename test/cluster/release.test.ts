import { type ReleaseGround, startReleaseGround } from "./ground";

describe("a release on a control plane", () => {
  let ground: ReleaseGround;
  beforeAll(async () => {
    ground = await startReleaseGround();
  });
  afterAll(() => ground?.stop());

  it("is installed", async () => {
    const said = await ground.release.install();
    if (!said.isGood) {
      for (const run of ground.nodes.runs()) console.log(run.name, run.said().slice(-1500));
      console.log(JSON.stringify(await ground.api.list(`/api/v1/namespaces/${ground.namespace}/events`)).slice(-6000));
    }
    expect(said).toMatchObject({ isGood: true });
  }, 600_000);

  it("pays", async () => {
    const said = await ground.release.test();
    expect(said).toMatchObject({ isGood: true });
    expect(ground.nodes.run("corridor-test-payment").said()).toMatch(/^paid: /m);
  }, 600_000);
});

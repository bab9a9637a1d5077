import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { getContainerRuntimeClient, type StartedTestContainer, Wait } from "testcontainers";
import { freePorts } from "../../local/free-port";
import { HardenedContainer } from "./container-set";
import { describeWithImages } from "./images";

interface Manifest {
  name: string;
  version: string;
}

describeWithImages("the image", (images) => {
  let box: StartedTestContainer;
  beforeAll(async () => {
    const idle = new HardenedContainer(images.corridor).withEntrypoint(["sh", "-c", "echo here; exec sleep infinity"]);
    box = await idle.withWaitStrategy(Wait.forLogMessage("here")).start();
  });
  afterAll(() => box.stop({ timeout: 0 }));

  const inBox = async (script: string): Promise<string> => (await box.exec(["sh", "-c", script])).output.trim();
  /** Name and version of every package that is installed in it. */
  const installed = async (): Promise<string[]> => {
    const find = "find ./node_modules -name package.json -regex '.*/node_modules/\\(@[^/]*/\\)?[^/]*/package.json'";
    const print =
      "process.stdout.write(process.argv.slice(1).map((f)=>require('/app/'+f)).map((p)=>p.name+'@'+p.version).join('\\n'))";
    return (await inBox(`node -e "${print}" $(${find})`)).split("\n");
  };

  it("lists in its SBOM every package that is in it, and no other", async () => {
    const sbom = JSON.parse(await inBox("cat sbom.cdx.json")) as { bomFormat: string; components: { purl: string }[] };
    const listed = sbom.components.map(({ purl }) => decodeURIComponent(purl.replace("pkg:npm/", "")));

    expect(sbom.bomFormat).toBe("CycloneDX");
    expect(new Set(listed)).toEqual(new Set(await installed()));
  });

  it("holds no development dependency, no test, no source and no secret of the build", async () => {
    const manifest = JSON.parse(await inBox("cat package.json")) as Record<string, Manifest>;
    const strays = await inBox("find . -path ./node_modules -prune -o \\( -name '*.test.*' -o -name '*.ts' \\) -print");

    expect(manifest["devDependencies"]).toBeUndefined();
    expect(
      (await installed()).filter((name) => /^(typescript|jest|testcontainers|@biomejs\/biome)@/.test(name)),
    ).toEqual([]);
    expect(strays).toBe("");
    expect(await inBox("ls -A . && ls dist")).toBe(
      "dist\nnode_modules\npackage.json\nsbom.cdx.json\ncli\ncluster\nconsole\ndocs\ngateway\nlocal\nproto\nsandbox\nsdk\nservices",
    );
    expect(await inBox("ls dist/console")).toBe("assets\nindex.html");
    // Of what a machine of one's own has: the store, the check of health, and what operators run beside their API.
    expect(await inBox("cd dist/local && ls containers cli restore -d && ls cli")).toBe(
      "cli\ncontainers\nrestore\nback-up.js\ndirect-commands.js\ndoctor.js\noperator.js\nrestore-check.js",
    );
    expect(await inBox("find / -xdev -name '*npmrc*' -not -path '*/node_modules/*' 2>/dev/null; true")).toBe("");
  });

  it("finds every program that the chart starts, with all its modules", async () => {
    const chart = globSync("charts/corridor/**/*.{yaml,tpl}").map((file) => readFileSync(file, "utf8"));
    const programs = new Set(chart.flatMap((text) => text.match(/dist\/[\w/-]+\/main\.js/g) ?? []));
    const said = await Promise.all([...programs].map((program) => inBox(`node ${program} 2>&1`)));

    expect(programs.size).toBeGreaterThan(8);
    // Without any setting each of them names those that it misses, and ends.
    expect(said.filter((text) => !text.includes("configuration is not usable"))).toEqual([]);
  });

  it("tells that nothing serves where nothing does", async () => {
    const [port = 0] = await freePorts(1);
    const check = "node dist/local/containers/healthcheck.js; echo $?";
    const settings = [
      `GRPC_PORT=${port}`,
      `SANDBOX_DATA_DIR=/x SANDBOX_PORT=${port}`,
      `PROFILE=local GATEWAY_PORT=${port}`,
    ];
    settings.push(`PROFILE=sandbox OPERATOR_PORT=${port}`);

    expect(await Promise.all(settings.map((one) => inBox(`${one} ${check}`)))).toEqual(settings.map(() => "1"));
  });

  it("can write nowhere, and changes nothing that it runs", async () => {
    const writable = "find /app /usr /etc -xdev \\( -user 10001 -o -perm -o+w \\) -not -type l -print";

    expect(await inBox(writable)).toBe("");
  });

  it("names the problem when it is given no service, and is the command line for all other words", async () => {
    const { container: client } = await getContainerRuntimeClient();
    const { dockerode } = client;
    for (const [words, problem, code] of [
      [[], 'there is no service ""', 64],
      [["../local/embedded-store"], "there is no service", 64],
      [["ledger"], "unknown command 'ledger'", 2],
      [["payments", "list"], "no platform is known", 2],
      [["sandbox", "clock"], "no sandbox is known", 2],
      [["operator", "tenants", "list"], "no operator API is known", 2],
    ] as const) {
      const created = await dockerode.createContainer({ Image: images.corridor, Cmd: [...words] });
      await created.start();
      const { StatusCode } = (await created.wait()) as { StatusCode: number };
      const said = (await created.logs({ stdout: true, stderr: true })).toString();
      await created.remove();
      expect([StatusCode, said]).toEqual([code, expect.stringContaining(problem)]);
    }
  });

  it("ends a service with 0 on SIGTERM while it waits for its store", async () => {
    // Takes connections and never says a word, so that the start goes on until the signal.
    const silent = createServer();
    const [port = 0, metrics = 0] = await freePorts(2);
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
    const { container: client } = await getContainerRuntimeClient();
    const service = new HardenedContainer(images.corridor).withCommand(["schema"]).withEnvironment({
      PROFILE: "local",
      GRPC_PORT: "0",
      METRICS_PORT: String(metrics),
      MONGODB_URI: `mongodb://127.0.0.1:${port}/?directConnection=true`,
      MONGODB_DATABASE: "nowhere",
    });
    const starting = await service.withWaitStrategy(Wait.forLogMessage(/serving metrics/)).start();
    const container = client.getById(starting.getId());
    await container.stop({ t: 20 });
    const { State } = await container.inspect();
    await container.remove();
    silent.close();

    expect(State.ExitCode).toBe(0);
  });
});

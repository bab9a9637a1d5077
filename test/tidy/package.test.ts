import { filesIn, placesOf, textOf } from "./tree";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

interface Lock {
  packages: Record<string, Locked>;
}

const manifest = JSON.parse(textOf("package.json")) as Manifest;
const lock = JSON.parse(textOf("package-lock.json")) as Lock;
const { dependencies, devDependencies, optionalDependencies } = manifest;

describe("package.json", () => {
  it("names one exact version of each dependency", () => {
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));

    expect(loose).toEqual([]);
  });

  it("brings the Node version that .nvmrc and the types name", () => {
    const major = (version: string | undefined): string | undefined => version?.split(".")[0];
    const brought = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));

    expect(textOf(".nvmrc").trim()).toBe("24");
    expect(brought.length).toBeGreaterThan(0);
    expect(brought.filter(([, version]) => major(version) !== "24")).toEqual([]);
    expect(major(devDependencies["@types/node"])).toBe("24");
  });
});

describe("Dockerfile", () => {
  const dockerfile = textOf("Dockerfile");
  const instructions = (word: string): string[] =>
    [...dockerfile.matchAll(new RegExp(`^${word} (.*)$`, "gm"))].map(([, rest = ""]) => rest);

  it("takes every stage from the Node version of .nvmrc, or from a stage before", () => {
    const stages = instructions("FROM").map((line) => line.split(" AS "));
    const names = stages.map(([, name]) => name);
    const isBase = (from = ""): boolean => /^\$\{NODE_IMAGE\}$/.test(from);
    const strange = stages.filter(([from], at) => !isBase(from) && !names.slice(0, at).includes(from));

    expect(instructions("ARG")).toEqual([`NODE_IMAGE=node:${textOf(".nvmrc").trim()}-bookworm-slim`]);
    expect(textOf("local/containers/base-image.ts")).toContain(`"${instructions("ARG")[0]?.split("=")[1]}"`);
    expect(stages.length).toBeGreaterThan(2);
    expect(strange).toEqual([]);
  });

  it("asks for no frontend, which would be pulled from a registry, and ends as nobody", () => {
    expect(dockerfile).not.toMatch(/^#\s*syntax\s*=/m);
    expect(instructions("USER")).toEqual(["10001:10001"]);
    expect(dockerfile.lastIndexOf("\nUSER ")).toBeGreaterThan(dockerfile.lastIndexOf("\nCOPY "));
  });
});

/** Whether npm would put the package on a Linux machine of ours, in continuous integration or in the image. */
const fitsOurs = ({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: Locked): boolean =>
  os.includes("linux") && libc.includes("glibc") && cpu.some((one) => one === "x64" || one === "arm64");

describe.each(["package-lock.json", "test/clients/package-lock.json"])("integrity in %s", (file) => {
  const locked = Object.entries((JSON.parse(textOf(file)) as Lock).packages).filter(([path]) => path !== "");
  const isProven = ({ integrity = "" }: Locked): boolean => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);

  it("is that of every package that is installed where we build, test and run", () => {
    const unproven = locked.filter(([, entry]) => !isProven(entry));
    const installed = unproven.filter(([, entry]) => entry.optional !== true || fitsOurs(entry));

    expect(installed.map(([path]) => path)).toEqual([]);
  });

  it("lacks, if anywhere, in Node for macOS alone, which is installed nowhere else", () => {
    const unproven = locked.filter(([, entry]) => !isProven(entry));
    const others = unproven.filter(
      ([path, { os }]) => !path.startsWith("node_modules/node-darwin-") || os?.[0] !== "darwin",
    );

    expect(others.map(([path]) => path)).toEqual([]);
  });
});

describe("npm", () => {
  it("runs no script of a package wherever it installs", () => {
    const places = placesOf(
      /\bnpm (ci|install|i)\b/,
      filesIn("Makefile", "Dockerfile", "compose.yaml", "local", ".github"),
    );
    const lines = places
      .map(
        (place) =>
          [place, place.slice(0, place.lastIndexOf(":")), Number(place.slice(place.lastIndexOf(":") + 1))] as const,
      )
      .map(([place, path, line]) => [place, textOf(path).split("\n")[line - 1] ?? ""] as const);

    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter(([, text]) => !text.includes("--ignore-scripts")).map(([place]) => place)).toEqual([]);
  });
});

describe("package-lock.json", () => {
  it("has the versions of package.json", () => {
    const wanted = Object.entries({ ...dependencies, ...devDependencies });
    const other = wanted.filter(([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version);

    expect(other).toEqual([]);
  });

  it("names no registry but the public one", () => {
    const elsewhere = Object.values(lock.packages).flatMap(({ resolved }) =>
      resolved === undefined || resolved.startsWith("https://registry.npmjs.org/") ? [] : resolved,
    );

    expect(elsewhere).toEqual([]);
  });
});

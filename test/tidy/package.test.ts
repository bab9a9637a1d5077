import { textOf } from "./tree";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

interface Lock {
  packages: Record<string, { version?: string; resolved?: string }>;
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

import { placesOf, platformCode, textOf } from "./tree";

const metricNames = (text: string): string[] => [...new Set(text.match(/\bcorridor_[a-z]+_[a-z_]+\b/g) ?? [])];

describe("docs/runbook.md", () => {
  it("speaks of the metrics that exist, and of each", () => {
    const code = platformCode().filter((path) => placesOf(/"corridor_/, [path]).length > 0);
    const real = metricNames(code.map(textOf).join("\n"));

    expect(real.length).toBeGreaterThan(0);
    expect(metricNames(textOf("docs/runbook.md")).toSorted()).toEqual(real.toSorted());
  });

  it("quotes log lines that exist", () => {
    const runbook = textOf("docs/runbook.md").replace(/\n\s*/g, " ");
    const logged = platformCode().map(textOf).join("\n");
    const quoted = [...runbook.matchAll(/`([a-z]+(?: [a-z,;]+){2,})`/g)].map(([, line = ""]) => line);

    expect(quoted.length).toBeGreaterThan(5);
    expect(quoted.filter((line) => !logged.includes(`"${line}"`))).toEqual([]);
  });
});

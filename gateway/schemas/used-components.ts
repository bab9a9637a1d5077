import type { Steps } from "../steps";

type Section = Readonly<Record<string, unknown>>;

/**
 * Returns the components that the operations name, and those that these name in turn. Linters report any others as mistakes.
 */
export function* usedComponents(
  operations: readonly object[],
  components: Readonly<Record<string, Section>>,
): Steps<object> {
  const used = new Set<string>();
  const waiting: unknown[] = [...operations];
  while (waiting.length > 0) {
    for (const place of namedIn(waiting.pop())) {
      if (used.has(place)) continue;
      used.add(place);
      const [section = "", name = ""] = place.split("/");
      waiting.push(components[section]?.[name]);
    }
    yield;
  }
  const kept = Object.entries(components).map(([section, all]): [string, Section] => [
    section,
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${section}/${name}`))),
  ]);
  return Object.fromEntries(kept.filter(([, all]) => Object.keys(all).length > 0));
}

/** Returns the components that a part of the document names: by references, and by the names of its security schemes. */
function namedIn(part: unknown): readonly string[] {
  const text = JSON.stringify(part ?? null);
  const references = [...text.matchAll(/"#\/components\/(\w+\/[\w.-]+)"/g)].map(([, place = ""]) => place);
  const schemes = [...text.matchAll(/"security":\[(\{.*?\})\]/g)].flatMap(([, requirement = "{}"]) =>
    Object.keys(JSON.parse(requirement) as object).map((name) => `securitySchemes/${name}`),
  );
  return [...references, ...schemes];
}

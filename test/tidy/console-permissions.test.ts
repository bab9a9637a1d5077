import { permissionsOf } from "../../gateway/permissions";
import { operatorRoles, tenantRoles } from "../../services/shared/kernel/roles";
import { filesIn, textOf } from "./tree";

const list = "console/app/may.ts";
const asked = [...textOf(list).matchAll(/"([\w-]+:[\w-]+)"/g)].map(([, name = ""]) => name);

describe("permissions that the console asks for", () => {
  it("are the gateway's own", () => {
    const known = new Set([...permissionsOf(tenantRoles, false), ...permissionsOf(operatorRoles, true)]);

    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it("are each asked for by a page", () => {
    const pages = filesIn("console").filter((path) => /\.tsx?$/.test(path) && path !== list);
    const text = pages.map(textOf).join("\n");

    expect(asked.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
  });
});

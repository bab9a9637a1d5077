import { DomainError } from "../../services/shared/kernel/errors";
import type { Readiness } from "../readiness";
import { jsonAnswer, type Route } from "../route";
import { enumSchema, objectSchema } from "../schemas/document-schema";

export interface OperationRouteDeps {
  readiness: Pick<Readiness, "missing">;
  isDraining(): boolean;
}

const statusSchema = objectSchema({ status: enumSchema("Always the same word.", ["ok"]) });
const readySchema = objectSchema({
  status: enumSchema("Always the same word.", ["ok"]),
  missing: {
    type: "array",
    items: { type: "string" },
    description: "Services that do not answer; their routes are 503.",
  },
});

/** Probes of the process itself; neither traced nor logged, since they come every second. */
export function operationRoutes({ readiness, isDraining }: OperationRouteDeps): readonly Route[] {
  const common = { method: "GET", scheme: "none", tag: "Operations", body: "none", isQuiet: true } as const;
  return [
    {
      ...common,
      path: "/healthz",
      summary: "Tells that the process is alive.",
      success: { status: 200, description: "It is.", schema: statusSchema },
      refusals: [],
      handle: () => Promise.resolve(jsonAnswer({ status: "ok" })),
    },
    {
      ...common,
      path: "/readyz",
      summary: "Tells that the gateway takes requests, and which services behind it do not answer.",
      success: { status: 200, description: "It takes them.", schema: readySchema },
      refusals: ["UNAVAILABLE"],
      async handle() {
        if (isDraining()) throw new DomainError("UNAVAILABLE", "the gateway is stopping");
        return jsonAnswer({ status: "ok", missing: await readiness.missing() });
      },
    },
  ];
}

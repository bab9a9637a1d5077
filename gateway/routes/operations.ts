import { DomainError } from "../../services/shared/errors";
import type { Readiness } from "../readiness";
import { jsonAnswer, type Route } from "../route";
import { enumSchema, objectSchema } from "../schemas/document-schema";

export interface OperationRouteDeps {
  readiness: Pick<Readiness, "missing">;
  isDraining(): boolean;
}

const statusSchema = objectSchema({ status: enumSchema("Always the same word.", ["ok"]) });

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
      summary: "Tells that every service behind the gateway answers.",
      success: { status: 200, description: "They all do.", schema: statusSchema },
      refusals: ["UNAVAILABLE"],
      async handle() {
        if (isDraining()) throw new DomainError("UNAVAILABLE", "the gateway is stopping");
        const missing = await readiness.missing();
        if (missing.length > 0)
          throw new DomainError("UNAVAILABLE", "a service does not answer", { details: { missing } });
        return jsonAnswer({ status: "ok" });
      },
    },
  ];
}

import { DomainError } from "../../services/shared/kernel/errors";
import { defineRoute } from "../contract/define-route";
import { answer, listOf, oneOf, text } from "../contract/parts";
import type { Readiness } from "../readiness";
import type { Route } from "../route";

export interface OperationRouteDeps {
  readiness: Pick<Readiness, "missing">;
  isDraining(): boolean;
}

const status = oneOf("Always the same word.", ["ok"]);
const ok = { status: "ok" } as const;

const alive = answer("Alive", "The process is alive.", { status });
const ready = answer("Ready", "The gateway takes requests.", {
  status,
  missing: listOf("Services that do not answer; their routes are 503.", text("Name of a service.")),
});

/** Probes of the process itself; neither traced nor logged, since they come every second. */
export function operationRoutes({ readiness, isDraining }: OperationRouteDeps): readonly Route[] {
  const common = { method: "GET", scheme: "none", tag: "Operations", isQuiet: true } as const;
  return [
    defineRoute({
      ...common,
      path: "/healthz",
      summary: "Say that the process is alive.",
      response: { status: 200, description: "It is.", schema: alive },
      refusals: [],
      handle: () => Promise.resolve(ok),
    }),
    defineRoute({
      ...common,
      path: "/readyz",
      summary: "Say whether the gateway takes requests, and which services behind it do not answer.",
      response: { status: 200, description: "It takes them.", schema: ready },
      refusals: ["UNAVAILABLE"],
      async handle() {
        if (isDraining()) throw new DomainError("UNAVAILABLE", "the gateway is stopping");
        return { ...ok, missing: await readiness.missing() };
      },
    }),
  ];
}

import { Readable } from "node:stream";
import type { Upstreams } from "../../gateway/clients";
import type { AgentCall, Answer, Route } from "../../gateway/route";
import { paymentValidationRoutes } from "../../gateway/routes/payment-validation";
import { paymentRoutes } from "../../gateway/routes/payments";
import { transactionRoutes } from "../../gateway/routes/transactions";
import type { PaymentServiceService } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Rpc } from "../../services/shared/rpc/rpc";

/** The part of the payment service that accepts payments. */
type Payments = Pick<Rpc<typeof PaymentServiceService>, "acceptPayment" | "validatePayment">;

/** The caller: an agent, or the tenant itself. */
export interface Door {
  tenant: string;
  agentId?: string | undefined;
}

/** The gateway's own route, without HTTP in front. */
async function through(routes: readonly Route[], path: string, { tenant, agentId = "" }: Door, body: object) {
  const route = routes.find((one) => one.path === path && one.method === "POST");
  if (route === undefined) throw new Error(`there is no route ${path}`);
  const call: AgentCall = {
    tenant,
    agentId,
    params: {},
    headers: {},
    peer: { address: "127.0.0.1" } as AgentCall["peer"],
    query: "",
    body: Buffer.from(JSON.stringify(body)),
    stream: Readable.from([]),
    patience: { standAside: () => {}, arrived: () => {}, onGone: () => () => {} },
  };
  const handle = route.handle as (call: AgentCall) => Promise<Answer>;
  const { headers = {}, body: answer } = await handle(call);
  if (!Buffer.isBuffer(answer)) throw new Error("the answer has no bytes");
  return { text: answer.toString("utf8"), replayed: headers["idempotency-replayed"] === "true" };
}

const upstreams = (payment: Payments): Pick<Upstreams, "payment"> => ({ payment: payment as Upstreams["payment"] });

/** Sends a body as the gateway does: through its route, with the errors that callers see. */
export const sendPayment = (
  payment: Payments,
  door: Door,
  body: object,
): Promise<{ text: string; replayed: boolean }> =>
  door.agentId === undefined
    ? through(paymentRoutes(upstreams(payment)), "/v2/payment", door, body)
    : through(transactionRoutes(upstreams(payment)), "/fx/transactions", door, body);

/** The preflight's answer. */
export interface Preflight {
  valid: boolean;
  errors: { code: string; field: string; message: string }[];
  price: { amount: Total; recipientAmount: Total; exchangeRate: number } | null;
  fees: { eventId: string; total: number; currency: string }[];
  advice: { field: string; message: string }[];
}
interface Total {
  total: number;
  currency: string;
}

/** Sends a body to the preflight. */
export async function askPreflight(payment: Payments, tenant: string, body: object): Promise<Preflight> {
  const { text } = await through(paymentValidationRoutes(upstreams(payment)), "/v2/payment/validate", { tenant }, body);
  return JSON.parse(text) as Preflight;
}

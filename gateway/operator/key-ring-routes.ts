import type { KeyRenewal, KeyRing } from "../../proto/gen/corridor/common/v1/key_service";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, flag, instant, integer, listOf, orNull, request, text, words } from "../contract/parts";
import type { Route } from "../route";

type Services = Pick<Upstreams, "auth" | "identity" | "payment" | "wallet" | "webhook">;

const names = ["auth", "identity", "payment", "wallet", "webhook"] as const;

const ringShape = answer("KeyRing", "The keys of one setting.", {
  name: text("Name of the setting that names the file of the ring."),
  keyIds: listOf("Ids of the keys, the newest first.", text("First eight hex digits of the key's SHA-256.")),
});

const holderShape = answer("KeyHolder", "A replica with its keys.", {
  holder: text("Name of the process."),
  rings: listOf("Its rings.", ringShape),
  seenAt: orNull(instant("When it last reported.")),
});

const useShape = answer("KeyUse", "A collection with something that a ring has sealed or digested.", {
  ring: text("Name of the ring."),
  collection: text("Name of the collection."),
  seen: integer("Records that were looked at so far."),
  renewed: integer("Those that are under the newest key since."),
  left: integer("Those that stay under an older key until they are used or replaced."),
  unopened: integer("Those that are under a key that the ring has not got."),
  names: listOf("The first hundred of those that are left or do not open.", text("Its id.")),
});

const renewalShape = answer("KeyRenewal", "How far a renewal is.", {
  renewalId: text("Chosen by who asked for it."),
  askedAt: orNull(instant("When it was asked for.")),
  doneAt: orNull(instant("When it was done.")),
  isClear: flag("True when it is done, and nothing is under an older key any more: these may go."),
  rings: listOf("The rings when it was asked for.", ringShape),
  uses: listOf("What it came upon.", useShape),
});

const ringsShape = answer("KeyRings", "The keys of a service, and what is under them.", {
  rings: listOf("The rings.", ringShape),
  holders: listOf("Replicas that reported lately.", holderShape),
  renewal: orNull({ ...renewalShape, title: "LatestKeyRenewal" }),
});

const renewalRequest = request("KeyRenewalRequest", "A renewal of everything that is under the keys of a service.", {
  renewalId: words("Chosen by the caller; the same id again returns how far it is."),
});

const count = (value: bigint): number => Number.parseInt(String(value), 10);

const renderRing = ({ name, keyIds }: KeyRing): Answered<typeof ringShape> => ({ name, keyIds });

function render({ renewalId, askedAt, doneAt, rings, uses }: KeyRenewal): Answered<typeof renewalShape> {
  const isRest = uses.some(({ left, unopened }) => left > 0n || unopened > 0n);
  return {
    renewalId,
    askedAt: askedAt ?? null,
    doneAt: doneAt ?? null,
    isClear: doneAt !== undefined && !isRest,
    rings: rings.map(renderRing),
    uses: uses.map(({ seen, renewed, left, unopened, ...facts }) => ({
      ...facts,
      ...{ seen: count(seen), renewed: count(renewed), left: count(left), unopened: count(unopened) },
    })),
  };
}

function serviceOf(services: Services, wanted: string): Services[(typeof names)[number]] {
  const name = names.find((one) => one === wanted);
  if (name === undefined) throw new DomainError("RECORD_NOT_FOUND", `keys have ${names.join(", ")} and no other`);
  return services[name];
}

const common = { scheme: "operator", tag: "Keys", params: { service: `One of ${names.join(", ")}.` } } as const;

/** Ids of the services' keys, and the replacement of keys, for operators. */
export const keyRingRoutes = (services: Services): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/key-rings/{service}",
    summary: "Which keys a service has at which replica, and how far everything is under the newest.",
    response: { status: 200, description: "The rings.", schema: ringsShape },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ params: { service } }) {
      const { rings, holders, renewal } = await serviceOf(services, service).getKeyRings({});
      return {
        rings: rings.map(renderRing),
        holders: holders.map((one) => ({ ...one, rings: one.rings.map(renderRing), seenAt: one.seenAt ?? null })),
        renewal: renewal === undefined ? null : render(renewal),
      };
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/key-rings/{service}/renewals",
    summary: "Put everything that a service keeps under its newest keys; the same id again returns how far it is.",
    request: renewalRequest,
    response: { status: 200, description: "How far it is.", schema: renewalShape },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    async handle({ params: { service }, body: { renewalId } }) {
      const { renewal } = await serviceOf(services, service).renewKeys({ renewalId });
      if (renewal === undefined) throw new Error("the service sent no renewal");
      return render(renewal);
    },
  }),
];

import type {
  KeyRenewal as KeyRenewalMessage,
  KeyRing,
  KeyServiceService,
} from "../../../proto/gen/corridor/common/v1/key_service";
import { invalid } from "../kernel/errors";
import type { Rpc } from "../rpc/rpc";
import type { RingFacts } from "../storage/key-holders";
import type { KeyRenewal } from "../storage/key-renewals";
import type { KeyRotation } from "../storage/key-rotation";

const maxIdLength = 128;

/** Lets operators see the keys of a service, and renew what is sealed under old ones. */
export function makeKeyService(duty: KeyRotation): Rpc<typeof KeyServiceService> {
  return {
    async getKeyRings() {
      const [holders, latest] = await Promise.all([duty.holders(), duty.latest()]);
      return {
        rings: duty.rings.map(encodeRing),
        holders: holders.map((one) => ({ ...one, rings: one.rings.map(encodeRing) })),
        renewal: latest === undefined ? undefined : encode(latest),
      };
    },
    async renewKeys({ renewalId }) {
      if (renewalId.length < 1 || renewalId.length > maxIdLength)
        throw invalid([{ field: "renewalId", message: `must have 1 to ${maxIdLength} characters` }]);
      return { renewal: encode(await duty.renew(renewalId)) };
    },
  };
}

const encodeRing = ({ name, keyIds }: RingFacts): KeyRing => ({ name, keyIds: [...keyIds] });

const encode = ({ id, askedAt, doneAt, rings, tallies }: KeyRenewal): KeyRenewalMessage => ({
  renewalId: id,
  askedAt,
  doneAt,
  rings: rings.map(encodeRing),
  uses: tallies.map(({ seen, renewed, left, unopened, ...facts }) => ({
    ...facts,
    seen: BigInt(seen),
    renewed: BigInt(renewed),
    left: BigInt(left),
    unopened: BigInt(unopened),
  })),
});

import { type Answer, notFound, referenceConflict } from "../answer";
import type { Card, FindCard } from "../cards";
import type { Environment } from "../environment";
import { contentHash, openRecordStore } from "../record-store";
import { refuseWith } from "../refusals";
import { known, renderCard, responses } from "./authorization";
import { type Challenges, challengePath } from "./challenges";

/** A card to check without a charge. */
export interface VerificationRequest {
  reference: string;
  cardToken: string;
  firstName: string;
  lastName: string;
  /** False skips the check of the holder's name. */
  hasNameInquiry: boolean;
}

/** The acquirer's record of one card check. Times are ISO 8601. */
export interface Verification {
  reference: string;
  acquirerId: string;
  contentHash: string;
  status: "VERIFIED" | "DECLINED" | "CHALLENGE";
  responseCode: string;
  message: string | null;
  challengeId: string | null;
  card: Card;
  avs: string;
  cvc: string;
  nameResult: string;
  calls: number;
  createdAt: string;
}

interface VerificationDeps extends Pick<Environment, "database" | "clock" | "ids"> {
  findCard: FindCard;
  challenges: Challenges;
}

/** Card checks. After a cardholder answers the challenge of a card and a name, it is not repeated before it expires. */
export interface Verifications {
  verify(request: VerificationRequest, body: unknown, isRefused: boolean, root: string): Promise<Answer>;
  query(reference: string, root: string): Answer;
  list(): Verification[];
}

export function makeVerifications(deps: VerificationDeps): Verifications {
  const { database, clock, ids, challenges } = deps;
  const records = openRecordStore<Verification>(database, "verifications");
  /** The last challenge of a card and a name. */
  const asked = openRecordStore<{ challengeId: string }>(database, "verificationChallenges");

  const challengeOf = (request: VerificationRequest) => {
    const subject = contentHash([request.cardToken.toLowerCase(), request.firstName, request.lastName]);
    const last = challenges.find(asked.find(subject)?.challengeId ?? "");
    if (last !== undefined && last.expiresAt > clock.now().toISOString()) return last;
    const fresh = challenges.open("verification", request.reference);
    asked.save(subject, { challengeId: fresh.id });
    return fresh;
  };
  const decide = (request: VerificationRequest, card: Card) => {
    if (card.outcome === "approve") return { status: "VERIFIED", ...responses.approved, challengeId: null } as const;
    if (card.outcome === "decline") return { status: "DECLINED", ...responses.declined, challengeId: null } as const;
    const { id: challengeId, outcome } = challengeOf(request);
    if (outcome === "passed") return { status: "VERIFIED", ...responses.approved, challengeId } as const;
    if (outcome === "failed") return { status: "DECLINED", ...responses.failed, challengeId } as const;
    return { status: "CHALLENGE", ...responses.challenge, challengeId } as const;
  };

  return {
    verify: (request, body, isRefused, root) =>
      database.write(() => {
        const found = records.find(request.reference);
        if (found !== undefined) {
          records.save(found.reference, { ...found, calls: found.calls + 1 });
          return found.contentHash === contentHash(body)
            ? { status: 200, body: render(found, root) }
            : referenceConflict;
        }
        const known = deps.findCard(request.cardToken);
        if (known === undefined) return refuseWith("unknown_token");
        const card: Card = isRefused ? { ...known, outcome: "decline" } : known;
        const decision = decide(request, card);
        const hasResults = decision.status === "VERIFIED";
        const verification: Verification = {
          reference: request.reference,
          acquirerId: `VER-${ids.uuid()}`,
          contentHash: contentHash(body),
          ...decision,
          card,
          avs: hasResults ? card.avs : "N/A",
          cvc: hasResults ? card.cvc : "N/A",
          nameResult: hasResults && request.hasNameInquiry ? nameResult(card, request) : "N/A",
          calls: 1,
          createdAt: clock.now().toISOString(),
        };
        records.save(request.reference, verification);
        return { status: 201, body: render(verification, root) };
      }),
    query(reference, root) {
      const found = records.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found, root) };
    },
    list: () => records.list(),
  };
}

/** A network without a name inquiry compares nothing, and neither do issuers of some kinds of cards. */
function nameResult({ nameResult, holderName }: Card, { firstName, lastName }: VerificationRequest): string {
  if (nameResult !== "COMPARE") return nameResult;
  const fold = (name: string): string => name.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();
  return fold(holderName ?? "") === fold(`${firstName} ${lastName}`) ? "APPROVED" : "NO_MATCH";
}

const render = (found: Verification, root: string): object => ({
  reference: found.reference,
  acquirerId: found.acquirerId,
  status: found.status,
  responseCode: found.responseCode,
  ...known({ message: found.message }),
  ...(found.status === "CHALLENGE" && found.challengeId !== null
    ? { redirectAcsUrl: `${root}${challengePath(found.challengeId)}` }
    : {}),
  card: renderCard(found.card),
  avs: found.avs,
  cvc: found.cvc,
  nameResult: found.nameResult,
  ...known({ oct: found.card.oct, aft: found.card.aft }),
});

import { randomUUID } from "node:crypto";
import type { SessionReport } from "../../../services/identity/domain/session";
import type { NewSession, Verifier } from "../../../services/identity/ports";
import { plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { hasReason } from "../../../services/shared/kernel/errors";

/** How a vendor's test environment misbehaves for the next call. */
export type VendorFault = "executed-unanswered" | "refused-with-503";

/** What a person or a reviewer does at the vendor. */
export type VendorAct = "verify" | "reject" | "review" | "unreadable";

/** A callback as the vendor sent it. */
export interface SentCallback {
  signature: string;
  body: Buffer;
}

/** An adapter under test, connected to a test environment of its vendor that can be driven and can misbehave. */
export interface VendorSubject {
  verifier: Verifier;
  /** The same adapter without a provider at the other end. */
  unreachable: Verifier;
  act(url: string, act: VendorAct): Promise<void>;
  fault(operation: "open" | "query" | "erase", fault: VendorFault): Promise<void>;
  /** How many sessions the vendor has under our id; none that it has erased. */
  opened(sessionId: string): Promise<number>;
  /** All callbacks about a session so far, in order; waits until there are so many. */
  callbacks(sessionId: string, count: number): Promise<readonly SentCallback[]>;
}

/** What every adapter of a verification vendor promises (docs/verification-vendors.md), as tests. */
export function describeVendorConformance(name: string, subject: () => VendorSubject): void {
  const newSession = (): NewSession => ({
    id: randomUUID(),
    expiresAt: plusMs(systemClock.now(), 24 * 60 * 60 * 1_000),
    facts: { userRef: "conformance", documentTypes: ["PASSPORT"], countryCode: "BRA" },
  });
  const open = async (): Promise<{ id: string; url: string }> => {
    const session = newSession();
    return { id: session.id, ...(await subject().verifier.open(session)) };
  };
  const ask = async (id: string): Promise<SessionReport> => {
    const report = await subject().verifier.ask(id);
    if (report === undefined) throw new Error("the vendor does not say where the session stands");
    return report;
  };
  const reasonOf = (work: () => unknown): string => {
    try {
      work();
      return "none";
    } catch (error) {
      return hasReason(error, "UNAUTHENTICATED") ? "UNAUTHENTICATED" : "INVALID_ARGUMENT";
    }
  };

  describe(`the vendor adapter ${name}`, () => {
    it("opens one session for one id, however often it is told, on the same page", async () => {
      const session = newSession();
      const urls = new Set<string>();
      for (let turn = 0; turn < 3; turn += 1) urls.add((await subject().verifier.open(session)).url);

      expect(urls.size).toBe(1);
      expect(await subject().opened(session.id)).toBe(1);
      expect(await ask(session.id)).toMatchObject({ sessionId: session.id, status: "OPEN", attempts: 0 });
    });

    it.each(["executed-unanswered", "refused-with-503"] as const)(
      "says that the vendor is away when the answer to a new session is %s, and finds the same session later",
      async (fault) => {
        const session = newSession();
        await subject().fault("open", fault);
        const lost = await subject()
          .verifier.open(session)
          .catch((error: unknown) => error);
        expect(hasReason(lost, "UNAVAILABLE")).toBe(true);

        await subject().verifier.open(session);
        expect(await subject().opened(session.id)).toBe(1);
      },
    );

    it("numbers what it says: each change has a greater revision, and asking changes nothing", async () => {
      const { id, url } = await open();
      const seen = [await ask(id)];
      for (const act of ["unreadable", "review", "reject", "verify", "reject"] as const) {
        await subject().act(url, act);
        seen.push(await ask(id));
      }

      expect(seen.map(({ status }) => status)).toEqual([
        "OPEN",
        "OPEN",
        "IN_REVIEW",
        "REJECTED",
        "VERIFIED",
        "REJECTED",
      ]);
      const revisions = seen.map(({ revision }) => revision);
      expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
      expect(await ask(id)).toEqual(seen.at(-1));
    });

    it("ends a session after three captures that could not be used", async () => {
      const { id, url } = await open();
      for (let turn = 0; turn < 3; turn += 1) await subject().act(url, "unreadable");

      expect(await ask(id)).toMatchObject({ status: "FAILED", attempts: 3 });
    });

    it("reads callbacks, which say the same as an answer, and none that somebody else wrote or changed", async () => {
      const { id, url } = await open();
      await subject().act(url, "review");
      await subject().act(url, "verify");
      const sent = await subject().callbacks(id, 2);
      const { verifier } = subject();
      const reports = sent.map(({ signature, body }) => verifier.readReport(signature, body));

      expect(reports.map(({ status }) => status)).toEqual(["IN_REVIEW", "VERIFIED"]);
      expect(reports.at(-1)).toEqual(await ask(id));
      for (const { signature, body } of sent) {
        const changed = Buffer.from(body);
        changed.writeUInt8(changed.readUInt8(changed.length - 2) ^ 1, changed.length - 2);
        expect(reasonOf(() => verifier.readReport(signature, changed))).toBe("UNAUTHENTICATED");
        expect(reasonOf(() => verifier.readReport("", body))).toBe("UNAUTHENTICATED");
        expect(reasonOf(() => verifier.readReport(`${signature}0`, body))).toBe("UNAUTHENTICATED");
      }
    });

    it("says nothing of a session that the vendor does not know, or while it is silent", async () => {
      const { verifier, unreachable, fault } = subject();
      const { id } = await open();

      expect(await verifier.ask(randomUUID())).toBeUndefined();
      for (const one of ["executed-unanswered", "refused-with-503"] as const) {
        await fault("query", one);
        expect(await verifier.ask(id)).toBeUndefined();
      }
      expect(await unreachable.ask(id)).toBeUndefined();
      const away = await unreachable.open(newSession()).catch((error: unknown) => error);
      expect(hasReason(away, "UNAVAILABLE")).toBe(true);
      const silent = await unreachable.objectionTo({}).catch((error: unknown) => error);
      expect(hasReason(silent, "UNAVAILABLE")).toBe(true);
    });

    it("has a session erased, however often it is told: then the vendor knows nothing of it", async () => {
      const { id, url } = await open();
      await subject().act(url, "verify");
      const other = await open();

      expect([await subject().verifier.erase(id), await subject().verifier.erase(id)]).toEqual([true, true]);

      expect(await subject().opened(id)).toBe(0);
      expect(await subject().verifier.ask(id)).toBeUndefined();
      await expect(subject().act(url, "reject")).rejects.toThrow();
      expect(await ask(other.id)).toMatchObject({ status: "OPEN" });
    });

    it("has a session erased that the vendor does not know, or learns of later", async () => {
      const late = newSession();
      expect(await subject().verifier.erase(late.id)).toBe(true);

      const lost = await subject()
        .verifier.open(late)
        .catch((error: unknown) => error);
      expect(hasReason(lost, "UNAVAILABLE")).toBe(true);
      expect(await subject().opened(late.id)).toBe(0);
    });

    it("does not take silence for an erasure", async () => {
      const { verifier, unreachable, fault } = subject();
      const { id } = await open();
      expect(await unreachable.erase(id)).toBe(false);
      await fault("erase", "refused-with-503");
      expect(await verifier.erase(id)).toBe(false);
      expect(await subject().opened(id)).toBe(1);

      await fault("erase", "executed-unanswered");
      expect(await verifier.erase(id)).toBe(false);
      expect(await verifier.erase(id)).toBe(true);
    });

    it("says how long a decision may be made again", () => {
      expect(subject().verifier.redecisionMs).toBeGreaterThan(0);
    });
  });
}

import { all, isAbove, isAtLeast, none, type Part, partOf, plus, roundsOf, times } from "./fraction";
import type { RelatedParty } from "./related-parties";

/** A person or company of a chain, with its owners. A person has none. */
export interface ChainNode {
  id: string;
  isPerson: boolean;
  parties: readonly RelatedParty[];
}

/** Owners and controllers of this share or more must be known. */
const leastPercent = 25;

type Edges = Map<string, Map<string, Part>>;

const shareUnits = 1_000_000n;

/** Direct shares in each company, by owner. */
function edgesOf(nodes: readonly ChainNode[]): Edges {
  return new Map(
    nodes.map(({ id, parties }) => [
      id,
      new Map(
        parties.flatMap(({ participantId, shareMillionths }) =>
          shareMillionths === undefined
            ? []
            : [[participantId, partOf(BigInt(shareMillionths), shareUnits)] as [string, Part]],
        ),
      ),
    ]),
  );
}

/**
 * Returns the share of each of these owners in a company, directly and through all intermediate companies: shares are multiplied along a
 * path and added over all paths, cyclic ones included. A share that cycles endlessly belongs to no owner.
 */
export function ownedBy(
  nodes: readonly ChainNode[],
  company: string,
  owners: readonly string[],
): ReadonlyMap<string, Part> {
  const edges = edgesOf(nodes);
  // A share of an owner in question is not passed further.
  for (const owner of owners) if (owner !== company) edges.set(owner, new Map());
  for (const [between, behind] of edges) {
    if (between === company || behind.size === 0) continue;
    bypass(edges, between);
  }
  const left = edges.get(company) ?? new Map<string, Part>();
  const rounds = roundsOf(left.get(company) ?? none) ?? none;
  return new Map(owners.map((owner) => [owner, times(left.get(owner) ?? none, rounds)]));
}

/** Passes the shares of a company on to its owners, and removes the company. */
function bypass(edges: Edges, between: string): void {
  const behind = edges.get(between) ?? new Map<string, Part>();
  const rounds = roundsOf(behind.get(between) ?? none) ?? none;
  for (const [id, owned] of edges) {
    const part = owned.get(between);
    if (part === undefined || id === between) continue;
    owned.delete(between);
    for (const [owner, share] of behind) {
      if (owner === between) continue;
      owned.set(owner, plus(owned.get(owner) ?? none, times(part, times(rounds, share))));
    }
  }
  edges.set(between, new Map());
}

const controlRoles = ["CONTROLLER"];
const actingRoles = ["CONTROLLER", "DIRECTOR", "SIGNATORY"];

/** Returns the companies that a party controls, directly or through companies that it controls. */
function controlledBy(nodes: readonly ChainNode[], controller: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [controller];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const by = next;
    for (const { id, parties } of nodes) {
      const isControlled = parties.some(
        ({ participantId, roles }) => participantId === by && roles.some((role) => controlRoles.includes(role)),
      );
      if (!isControlled || found.has(id)) continue;
      found.add(id);
      waiting.push(id);
    }
  }
  return found;
}

/** Returns the share of a company that each of these people owns or controls: their own, and that of companies that they control. */
function holdings(nodes: readonly ChainNode[], company: string, people: readonly string[]): (holder: string) => Part {
  const known = new Map<string, ReadonlyMap<string, Part>>();
  return (holder) => {
    const controlled = [...controlledBy(nodes, holder)].toSorted();
    if (controlled.includes(company)) return all;
    const key = controlled.join(" ");
    const owned = known.get(key) ?? ownedBy(nodes, company, [...people, ...controlled]);
    known.set(key, owned);
    return [holder, ...controlled].map((id) => owned.get(id) ?? none).reduce(plus, none);
  };
}

export interface Standing {
  /** Natural persons who own or control 25 % or more. */
  owners: readonly string[];
  /** Natural persons who act for the company or control it. */
  acting: readonly string[];
}

/** Returns the natural persons who must be known before a company counts as known. */
export function standingOf(nodes: readonly ChainNode[], company: string): Standing {
  const people = nodes.filter(({ isPerson }) => isPerson).map(({ id }) => id);
  const heldBy = holdings(nodes, company, people);
  const isPerson = new Set(people);
  const parties = nodes.find(({ id }) => id === company)?.parties ?? [];
  return {
    owners: people.filter((id) => isAtLeast(heldBy(id), leastPercent)),
    acting: parties
      .filter(
        ({ participantId, roles }) => isPerson.has(participantId) && roles.some((role) => actingRoles.includes(role)),
      )
      .map(({ participantId }) => participantId),
  };
}

/** The share of listed owners from which a list counts their company as listed. */
export interface OwnershipRule {
  percent: number;
  /** True: only a share above the percentage counts. */
  isAbove: boolean;
  /** True: a company that a listed party controls counts, whatever its shares. */
  countsControl: boolean;
}

const reaches = (part: Part, { percent, isAbove: isOnlyAbove }: OwnershipRule): boolean =>
  isOnlyAbove ? isAbove(part, percent) : isAtLeast(part, percent);

/**
 * Returns the share of a company that listed owners hold together, if it is enough to count the company as listed; otherwise undefined. A
 * company that counts as listed counts in full for its own holdings; the holdings of other companies count in proportion to their listed
 * share.
 */
export function listedPart(
  nodes: readonly ChainNode[],
  company: string,
  listed: ReadonlySet<string>,
  rule: OwnershipRule,
): Part | undefined {
  const counted = new Set([...listed].filter((id) => id !== company));
  const partOfNode = (id: string): Part => {
    if (rule.countsControl && [...counted].some((one) => controlledBy(nodes, one).has(id))) return all;
    const owners = [...counted].filter((owner) => owner !== id);
    return [...ownedBy(nodes, id, owners).values()].reduce(plus, none);
  };
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { id, isPerson } of nodes) {
      if (isPerson || id === company || counted.has(id) || !reaches(partOfNode(id), rule)) continue;
      counted.add(id);
      isNew = true;
    }
  }
  const part = partOfNode(company);
  return counted.size > 0 && reaches(part, rule) ? part : undefined;
}

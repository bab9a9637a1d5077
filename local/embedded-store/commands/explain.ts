import { demand, notSupported } from "../errors";
import { type Access, choosePlan, type Plan } from "../query/planner";
import { type Doc, isArray, isDoc } from "../values/bson";
import type { Reply } from "../wire/frame";
import { type Context, docField, findCollection, namespaceOf } from "./context";
import { selectionOf, splitPipeline } from "./read";
import { type Selection, selecting } from "./select";

/** Explains how a command would find its documents, in the terms of MongoDB's query planner, without running it. */
export function explain(context: Context, command: Doc): Reply {
  const explained = command["explain"];
  demand(isDoc(explained), "TypeMismatch", "explain needs a command");
  const { verbosity } = command;
  if (verbosity !== undefined && verbosity !== "queryPlanner") throw notSupported("explain with another verbosity");
  const name = Object.keys(explained)[0] ?? "";
  const selection = selectionIn(name, explained);
  const collection = findCollection(context, explained[name]);
  const plan = collection === undefined ? undefined : choosePlan(collection, selection);
  const winningPlan = plan === undefined ? { stage: "EOF" } : describePlan(plan, selection);
  const namespace = namespaceOf(context, explained[name]);
  return { body: { queryPlanner: { namespace, parsedQuery: selection.filter, winningPlan, rejectedPlans: [] } } };
}

function selectionIn(name: string, command: Doc): Selection {
  if (name === "find") return selectionOf(command, "filter");
  if (name === "count" || name === "distinct") return selectionOf(command, "query");
  if (name === "findAndModify" || name === "findandmodify") return { ...selectionOf(command, "query"), limit: 1 };
  if (name === "aggregate") {
    const stages = command["pipeline"];
    return splitPipeline(isArray(stages) ? stages : [], command["hint"]).selection;
  }
  demand(name === "update" || name === "delete", "CommandNotFound", `Explain failed due to unknown command: ${name}`);
  const list = command[name === "update" ? "updates" : "deletes"];
  const [statement, ...more] = isArray(list) ? list : [];
  const isOne = isDoc(statement) && more.length === 0;
  demand(isOne, "InvalidOptions", "explained write batches must be of size 1");
  const isLimited = name === "update" ? statement["multi"] !== true : Number(statement["limit"]) === 1;
  return selecting(docField(statement, "q"), { hint: statement["hint"], ...(isLimited ? { limit: 1 } : {}) });
}

function describePlan(plan: Plan, { sort, limit }: Selection): Doc {
  const [only] = plan;
  const ways = plan.map((access) => describeAccess(access, sort.length > 0));
  const isMerged = plan.every(({ isMergeable }) => isMergeable);
  const joined =
    only !== undefined && plan.length === 1
      ? (ways[0] ?? {})
      : { stage: sort.length > 0 && isMerged ? "SORT_MERGE" : "OR", inputStages: ways };
  const isSorted = sort.length === 0 || isMerged;
  const ordered = isSorted ? joined : { stage: "SORT", inputStage: joined };
  return Number.isFinite(limit) ? { stage: "LIMIT", inputStage: ordered } : ordered;
}

function describeAccess({ index, isBounded, isReverse, isMergeable }: Access, isSorted: boolean): Doc {
  const direction = isReverse ? "backward" : "forward";
  // Documents are stored by `_id`, so reading them in its order reads its index.
  if (index === undefined && !isBounded && !(isSorted && isMergeable)) return { stage: "COLLSCAN", direction };
  const inputStage = { stage: "IXSCAN", indexName: index?.name ?? "_id_", direction };
  return { stage: "FETCH", inputStage };
}

import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import {
  callOperator,
  callTenant,
  type OperatorAnswer,
  type OperatorCall,
  type OperatorInput,
  type TenantAnswer,
  type TenantCall,
  type TenantInput,
} from "./api";
import { useIsLive } from "./live";
import { Problem } from "./problem";

export interface Watch<Answer> {
  /** Asks again after this time while the page is visible; false for an object in a final state. */
  readonly everyMs?: number | ((answer: Answer | undefined) => number | false);
  readonly isOn?: boolean;
  /** True for data that the feed reports on: it is requested when something has happened, and otherwise rarely. */
  readonly isTold?: boolean;
}

const retries = 2;

/** A refused request would be refused again; one without an answer is repeated. */
export const makeQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        placeholderData: keepPreviousData,
        retry: (count, error) =>
          count < retries && !(error instanceof Problem && error.status > 0 && error.status < 500),
      },
    },
  });

/** Interval at which data from the feed is still requested: the feed does not report retries of a delivery. */
const toldEveryMs = 20_000;

function everyOf<Answer>({ everyMs }: Watch<Answer>, isLive: boolean) {
  if (isLive && everyMs !== undefined) return toldEveryMs;
  return typeof everyMs === "function"
    ? (query: { readonly state: { readonly data?: unknown } }) => everyMs(query.state.data as Answer | undefined)
    : (everyMs ?? false);
}

/** Reads from the public API for the user's tenant. */
export function useTenant<Name extends TenantCall>(
  name: Name,
  input: TenantInput<Name>,
  watch: Watch<TenantAnswer<Name>> = {},
): UseQueryResult<TenantAnswer<Name>> {
  const isLive = useIsLive() === true && watch.isTold === true;
  return useQuery({
    queryKey: ["tenant", name, input],
    meta: { isTold: watch.isTold === true },
    queryFn: async ({ signal }) => (await callTenant(name, input, { signal })) ?? null,
    refetchInterval: everyOf(watch, isLive),
    enabled: watch.isOn ?? true,
  }) as UseQueryResult<TenantAnswer<Name>>;
}

/** Reads from the operator API. */
export function useOperator<Name extends OperatorCall>(
  name: Name,
  input: OperatorInput<Name>,
  watch: Watch<OperatorAnswer<Name>> = {},
): UseQueryResult<OperatorAnswer<Name>> {
  return useQuery({
    queryKey: ["operator", name, input],
    queryFn: async ({ signal }) => (await callOperator(name, input, { signal })) ?? null,
    refetchInterval: everyOf(watch, false),
    enabled: watch.isOn ?? true,
  }) as UseQueryResult<OperatorAnswer<Name>>;
}

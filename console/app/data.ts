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
  /** Asks again after this time while the page is looked at; false for what has come to rest. */
  readonly everyMs?: number | ((answer: Answer | undefined) => number | false);
  readonly isOn?: boolean;
  /** True for what the feed tells of: it is asked for when something has happened, and rarely else. */
  readonly isTold?: boolean;
}

const retries = 2;

/** What was refused is refused again; what did not answer is asked again. */
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

/** So often what is told is asked for all the same: a delivery that is tried again is told by nobody. */
const toldEveryMs = 20_000;

function everyOf<Answer>({ everyMs }: Watch<Answer>, isLive: boolean) {
  if (isLive && everyMs !== undefined) return toldEveryMs;
  return typeof everyMs === "function"
    ? (query: { readonly state: { readonly data?: unknown } }) => everyMs(query.state.data as Answer | undefined)
    : (everyMs ?? false);
}

/** What the public API answers to the user's tenant. */
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

/** What the operator API answers. */
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

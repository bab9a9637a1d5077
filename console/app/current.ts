/** The state that every call uses. It changes only when a person logs in. */
export interface Current {
  readonly csrf: string;
  /** Slug of the user's tenant; empty for an operator. */
  readonly tenant: string;
  /** Agent for calls of rows of agents. */
  readonly agentId: string | undefined;
  readonly onSessionOver: () => void;
  /** Called when a request needs a login that is at most some minutes old. */
  readonly onStaleLogin: () => void;
}

let state: Current = {
  csrf: "",
  tenant: "",
  agentId: undefined,
  onSessionOver: () => undefined,
  onStaleLogin: () => undefined,
};

export const current = (): Current => state;

export function setCurrent(change: Partial<Current>): void {
  state = { ...state, ...change };
}

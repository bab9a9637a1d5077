/** What every call is made with. It changes when somebody logs in, and nowhere else. */
export interface Current {
  readonly csrf: string;
  /** Slug of the user's tenant; empty for an operator. */
  readonly tenant: string;
  /** Agent that rows of agents are called as. */
  readonly agentId: string | undefined;
  readonly onSessionOver: () => void;
  /** Something asks for a login that is not older than some minutes. */
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

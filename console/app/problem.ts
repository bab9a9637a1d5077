/** One field that a refusal names. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A refusal, or no answer at all. */
export class Problem extends Error {
  readonly status: number;
  /** Code of the list of errors; `NETWORK` if nothing answered. */
  readonly code: string;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldProblem[];
  readonly details: Readonly<Record<string, unknown>>;
  /** How long to wait before the same request may be repeated. */
  readonly waitSeconds: number | undefined;

  constructor(facts: Partial<Problem> & { readonly status: number; readonly code: string; readonly message: string }) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.fields = facts.fields ?? [];
    this.details = facts.details ?? {};
    this.waitSeconds = facts.waitSeconds;
  }
}

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly requestId?: unknown;
  readonly errors?: readonly FieldProblem[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Reads an answer that is not a success. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  const body = parseBody(text);
  const wait = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return new Problem({
    status: response.status,
    code: typeof body.code === "string" ? body.code : `HTTP_${response.status}`,
    message: typeof body.message === "string" ? body.message : response.statusText,
    requestId:
      typeof body.requestId === "string" ? body.requestId : (response.headers.get("x-request-id") ?? undefined),
    fields: body.errors ?? [],
    details: body.details ?? {},
    waitSeconds: Number.isNaN(wait) ? undefined : wait,
  });
}

function parseBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}

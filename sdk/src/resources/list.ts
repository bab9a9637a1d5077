import type { AnswerOf, Call, Input, Operation } from "../call.ts";
import type { CallOptions } from "../options.ts";
import { makePager, type Pager } from "../pager.ts";

/** Operations that answer with a page: a list under some name, and the position of the next page. */
type Listing<Member extends string, Item> = { readonly [Name in Member]: readonly Item[] } & {
  readonly next: string | null;
};

/** Iterates over an operation that answers in pages. */
export function listOf<Name extends Operation, Member extends string & keyof AnswerOf<Name>>(
  call: Call,
  name: Name,
  member: Member,
  input: unknown,
  options: CallOptions | undefined,
): Pager<AnswerOf<Name>[Member] extends readonly (infer Item)[] ? Item : never> {
  const { query, ...rest } = Object(input) as { query?: object };
  return makePager(async (after) => {
    const asked = { ...rest, query: { ...query, ...(after === undefined ? {} : { after }) } };
    const page = (await call(name, ...([asked, options] as unknown as [Input<Name>]))) as Listing<Member, never>;
    return { items: page[member], next: page.next };
  });
}

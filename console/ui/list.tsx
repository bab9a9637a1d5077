import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { text } from "../text/text";
import { Loading } from "./page";
import { ProblemNote } from "./problem-note";
import { type Column, Table } from "./table";

interface Props<Answer, Row> {
  readonly query: UseQueryResult<Answer>;
  readonly rows: (answer: Answer) => readonly Row[];
  readonly next?: (answer: Answer) => string | null | undefined;
  /** `after` of this page; undefined on the first. */
  readonly after?: string | undefined;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly to?: (row: Row) => string;
  readonly empty: ReactNode;
}

/** A list of the platform: while it loads, when it fails, when it is empty, and page by page. */
export function List<Answer, Row>({ query, rows, next, after, empty, ...table }: Props<Answer, Row>) {
  const { data, error, isPending, refetch } = query;
  if (isPending) return <Loading />;
  if (data === undefined) return <ProblemNote error={error} retry={() => void refetch()} />;
  const shown = rows(data);
  const following = next?.(data) ?? undefined;
  return (
    <>
      {error !== null && <ProblemNote error={error} retry={() => void refetch()} />}
      <div className="card">{shown.length === 0 ? empty : <Table {...table} rows={shown} />}</div>
      {(after !== undefined || following !== undefined) && (
        <nav className="row pager" aria-label={text.table.pages}>
          {after !== undefined && (
            <Link className="button" to="." search={(now: object) => ({ ...now, after: undefined })}>
              {text.table.newest}
            </Link>
          )}
          {following !== undefined && (
            <Link className="button" to="." search={(now: object) => ({ ...now, after: following })}>
              {text.table.older}
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { text } from "../text/text";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isEnd?: boolean;
  /** Left out when there is little room. */
  readonly isWide?: boolean;
}

interface Props<Row> {
  /** Describes the table to screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The target of a row: its first cell is the link, and a click anywhere follows it. */
  readonly to?: (row: Row) => string;
}

const classOf = ({ isEnd = false, isWide = false }: Pick<Column<never>, "isEnd" | "isWide">): string =>
  [isEnd ? "end" : "", isWide ? "wide-only" : ""].join(" ").trim();

/** A list. The keys `j` and `k` move through its rows. */
export function Table<Row>({ caption, columns, rows, keyOf, to }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className="scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title === "" ? <span className="unseen">{text.table.actions}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, at) => (
                <td key={column.title} className={classOf(column)}>
                  {at === 0 && to !== undefined ? (
                    <Link to={to(row)} data-row="">
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

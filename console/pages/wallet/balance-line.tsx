import type { StatementEntry } from "../../../sdk/src/gen/api";
import { tenantText } from "../../text/tenant-text";

const [width, height] = [600, 100];

/** The balance after each movement, as a line. It is a drawing only: exact figures are in the table under it. */
export function BalanceLine({ entries }: { readonly entries: readonly StatementEntry[] }) {
  const heights = entries.map(({ balanceAfter }) => Number.parseFloat(balanceAfter));
  const most = Math.max(...heights, 1);
  const least = Math.min(...heights, 0);
  const points = heights.map((value, at) => {
    const x = (at / (heights.length - 1)) * width;
    const y = height - ((value - least) / (most - least)) * (height - 8) - 4;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = `M${points.join("L")}`;
  return (
    <figure className="card figure">
      <figcaption className="quiet small">{tenantText.wallets.line}</figcaption>
      <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="under" d={`${line}L${width} ${height}L0 ${height}Z`} />
        <path d={line} />
      </svg>
    </figure>
  );
}

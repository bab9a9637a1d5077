import { amountText } from "./amount-text";

interface Props {
  readonly total: string;
  readonly currency: string;
}

/** An exact amount with its currency's code. */
export const Money = ({ total, currency }: Props) => (
  <span className="number">
    <span className="unit">{currency}</span>
    {amountText(total, currency)}
  </span>
);

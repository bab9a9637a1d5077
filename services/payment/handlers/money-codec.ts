import type { Money as WireMoney } from "../../../proto/gen/corridor/common/v1/money";
import { type Money, money } from "../../shared/kernel/money";

export const encodeMoney = ({ minor, currency }: Money): WireMoney => ({ amountMinor: minor, currency });

export const decodeMoney = ({ amountMinor, currency }: WireMoney): Money => money(amountMinor, currency);

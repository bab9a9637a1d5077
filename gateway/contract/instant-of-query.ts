import { parseInstant } from "../../services/shared/kernel/clock";

/** Reads an instant after the question mark, where a plus sign that was not encoded has become a space. */
export const instantOfQuery = (text: string): Date | undefined => parseInstant(text.replace(" ", "+"));

/** What a rail answers to one call, before a fault may delay or lose it. */
export interface Answer {
  status: number;
  body: object;
}

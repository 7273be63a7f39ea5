/** What rules match at one place. */
export interface CountedPlace {
  /** Such as `span.input.messages.*.content`: indexes are `*`, and a key that matches is shown as its token. */
  place: string;
  type: string;
  /** The name of the rule; null if it is the level's. */
  rule: string | null;
  count: number;
}

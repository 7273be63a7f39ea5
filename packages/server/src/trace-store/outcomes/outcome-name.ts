import { RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";

/** SQL of the name of a run's outcome. `column` holds its number. */
export const outcomeNameSql = (column: string): string =>
  `(array[${RUN_OUTCOMES.map((name) => `'${name}'`).join(", ")}])[${column} + 1]`;

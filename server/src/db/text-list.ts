import { sql } from "kysely";

/**
 * Many texts as one parameter, a `text[]` to the database. As JSON: printing an array the driver's way takes seconds
 * for texts full of quotes. They must be free of NUL and lone surrogates.
 */
export const textList = (texts: string[]) =>
  sql<string[]>`array(select json_array_elements_text(${JSON.stringify(texts)}::json))`;

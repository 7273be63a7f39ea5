import { sql } from "kysely";

/**
 * A `text[]` passed as one JSON parameter, because the driver's array encoding takes seconds for strings full of
 * quotes. The strings must not contain NUL or lone surrogates.
 */
export const textList = (texts: string[]) =>
  sql<string[]>`array(select json_array_elements_text(${JSON.stringify(texts)}::json))`;

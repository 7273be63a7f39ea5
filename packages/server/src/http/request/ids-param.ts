import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import { textParam } from "./query-params.ts";

/** Ids, separated by commas; undefined if the parameter is absent. */
export function idsParam(maxIds: number) {
  const error = `Invalid ids parameter. Must be at most ${maxIds} ids, separated by commas.`;
  return textParam("")
    .transform((text, context) => {
      const ids = text?.split(",").filter(Boolean);
      if (ids && ids.length > maxIds) context.addIssue(error);
      return ids;
    })
    .meta({
      type: "string",
      description: `Only these: at most ${maxIds} ids, separated by commas. Unknown ids are left out`,
    })
    .register(fieldErrors, { texts: [error] });
}

import { Link } from "@tanstack/react-router";
import { type Findings, otherLensSentence } from "@whytrace/contract";
import { omitEmpty } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { type CountedSearch, pickCounted } from "../counted-search.ts";

interface OtherLensesProps {
  found: Findings;
  search: CountedSearch;
}

/** Bad runs that the list does not explain, because another lens has them, with links to what explains them. */
export function OtherLenses({ found, search }: OtherLensesProps) {
  return found.otherLenses.map((other) => (
    <span key={other.lens}>
      {otherLensSentence(other)}{" "}
      <Link
        to={paths.why}
        search={omitEmpty({ ...pickCounted(search), lens: other.lens })}
        className="text-accent underline"
      >
        Show what explains {other.badRuns === 1 ? "it" : "them"}
      </Link>{" "}
    </span>
  ));
}

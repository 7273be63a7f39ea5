import { createLazyRoute, Link } from "@tanstack/react-router";
import markdown from "../../../../../docs/words.md?raw";
import { paths } from "../../paths.ts";
import { GuideArticle } from "./guide-article.tsx";

export const wordsPage = createLazyRoute("/signed-in/why/words")({ component: WordsPage });

/** What the words on the pages mean: a page of the documentation. */
function WordsPage() {
  return (
    <GuideArticle markdown={markdown}>
      <Link to={paths.whyGuide} className="text-muted hover:text-text hover:underline">
        How Why counts /
      </Link>
    </GuideArticle>
  );
}

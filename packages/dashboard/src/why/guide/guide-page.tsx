import { createLazyRoute, Link } from "@tanstack/react-router";
import markdown from "../../../../../docs/why.md?raw";
import { paths } from "../../paths.ts";
import { GuideArticle } from "./guide-article.tsx";

export const guidePage = createLazyRoute("/signed-in/why/guide")({ component: GuidePage });

/** How the figures of Why come about: a page of the documentation. */
function GuidePage() {
  return (
    <GuideArticle markdown={markdown}>
      <Link to={paths.why} className="text-muted hover:text-text hover:underline">
        Why /
      </Link>
    </GuideArticle>
  );
}

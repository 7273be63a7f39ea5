import { Link } from "@tanstack/react-router";
import type { Issue } from "@whytrace/contract";
import { paths } from "../paths.ts";

interface IssueLinkProps {
  issue: Pick<Issue, "number" | "title">;
  className?: string;
}

/** `#12 policy outdated`. */
export function IssueLink({ issue: { number, title }, className = "" }: IssueLinkProps) {
  return (
    <Link
      to={paths.issue}
      params={{ number: String(number) }}
      title={title}
      className={`text-accent hover:underline ${className}`}
    >
      #{number} {title}
    </Link>
  );
}

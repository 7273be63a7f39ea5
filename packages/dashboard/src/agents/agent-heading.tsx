import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";

interface AgentHeadingProps {
  agent: string;
  /** Of a page below the agent's home. */
  title?: string;
  children?: ReactNode;
}

/** The path to a page of an agent, and its controls. */
export function AgentHeading({ agent, title, children }: AgentHeadingProps) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <h1 className="flex min-w-0 max-w-full items-center gap-1.5 text-lg font-semibold">
        <Link to={paths.agents} className="shrink-0 font-medium text-muted hover:text-text max-sm:hidden">
          Agents
        </Link>
        <span aria-hidden="true" className="text-muted max-sm:hidden">
          /
        </span>
        {title === undefined ? (
          <span className="truncate" title={agent}>
            {agent}
          </span>
        ) : (
          <>
            <Link
              to={paths.agent}
              params={{ agent }}
              title={agent}
              className="min-w-0 truncate font-medium text-muted hover:text-text"
            >
              {agent}
            </Link>
            <span aria-hidden="true" className="text-muted">
              /
            </span>
            <span className="shrink-0">{title}</span>
          </>
        )}
      </h1>
      {children}
    </div>
  );
}

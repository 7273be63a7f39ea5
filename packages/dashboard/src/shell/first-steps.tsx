import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isSample } from "../client/base-path.ts";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { SampleLink } from "./sample-link.tsx";

interface FirstStepsProps {
  /** The page that has nothing to show: the sample opens the same one. */
  path: string;
  /** Other ways on from this page. */
  children?: ReactNode;
}

/** The ways on from a page that has nothing to show yet: send a trace, or see the page full in the sample. */
export function FirstSteps({ path, children }: FirstStepsProps) {
  if (isSample) return children;
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <Link to={paths.welcome} className={buttonStyle("primary")}>
        Send a trace
      </Link>
      <SampleLink path={path} className={buttonStyle()}>
        See it in the sample
      </SampleLink>
      {children}
    </div>
  );
}

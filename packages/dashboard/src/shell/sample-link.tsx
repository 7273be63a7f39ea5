import { useQuery } from "@tanstack/react-query";
import { isSample, SAMPLE_PATH } from "../client/base-path.ts";
import { registrationQuery } from "../client/registration-query.ts";
import { paths } from "../paths.ts";

interface SampleLinkProps {
  /** The page of the sample that opens. */
  path?: string;
  className: string;
  children: string;
}

/** The way to the sample workspace, if the server has one. */
export function SampleLink({ path = paths.home, className, children }: SampleLinkProps) {
  const { data } = useQuery(registrationQuery);
  if (!data?.hasSample || isSample) return null;
  // A plain link: the sample is another application, with another base path.
  return (
    <a href={SAMPLE_PATH + path} className={className}>
      {children}
    </a>
  );
}

import { useQuery } from "@tanstack/react-query";
import { isSample, SAMPLE_PATH } from "../client/base-path.ts";
import { registrationQuery } from "../client/registration-query.ts";

/** The way to the sample workspace, if the server has one. */
export function SampleLink({ className, children }: { className: string; children: string }) {
  const { data } = useQuery(registrationQuery);
  if (!data?.hasSample || isSample) return null;
  // A plain link: the sample is another application, with another base path.
  return (
    <a href={`${SAMPLE_PATH}/`} className={className}>
      {children}
    </a>
  );
}

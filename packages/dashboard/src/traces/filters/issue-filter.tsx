import { useQuery } from "@tanstack/react-query";
import { issueQuery } from "../../issues/issues-query.ts";
import { TextFilter } from "./text-filter.tsx";

interface IssueFilterProps {
  label: string;
  hint: string;
  value: string | undefined;
  isInitiallyOpen: boolean;
  onClosed: () => void;
  onChange: (number: string | undefined) => void;
}

/** The number of an issue; its chip also says the title. */
export function IssueFilter({ value, ...rest }: IssueFilterProps) {
  const { data } = useQuery({
    ...issueQuery(value ?? "", undefined),
    enabled: value !== undefined,
    refetchInterval: false,
  });
  const shown = value === undefined ? undefined : data ? `#${data.number} ${data.title}` : `#${value}`;
  return <TextFilter {...rest} field="Number" value={value} shown={shown} />;
}

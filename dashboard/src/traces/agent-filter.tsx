import { TextFilter, type TextFilterProps } from "./text-filter.tsx";

type AgentFilterProps = Pick<TextFilterProps, "value" | "onChange" | "isInitiallyOpen" | "onClosed">;

export function AgentFilter(props: AgentFilterProps) {
  return (
    <TextFilter
      label="Agent"
      field="Name of the agent"
      hint="The name of its traces. Numbers and ids may be #."
      values="agent"
      {...props}
    />
  );
}

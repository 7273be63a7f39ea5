import type { Channel, ChannelKind, Delivery } from "@whytrace/contract/schemas/alerts/channels";
import type {
  AlertRule,
  IncidentList,
  Maintenance,
  RuleKind,
  RulePreview,
  Sensitivity,
  Severity,
} from "@whytrace/contract/schemas/alerts/rules";

export type {
  AlertRule,
  Channel,
  ChannelKind,
  Delivery,
  Maintenance,
  RuleKind,
  RulePreview,
  Sensitivity,
  Severity,
};

export type Incident = IncidentList["incidents"][number];

/** What the server adds to a rule. */
type Served = "id" | "state" | "reason" | "value" | "runs" | "since" | "mutedUntil" | "createdAt";

/** What a person says about a rule. */
export type RuleFields = Pick<AlertRule, "kind" | "name"> & {
  [Field in Exclude<keyof AlertRule, Served | "kind" | "name">]?: AlertRule[Field] | undefined;
};

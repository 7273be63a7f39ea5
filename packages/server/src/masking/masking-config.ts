import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";

/** What the operator decides about masking. */
export interface MaskingConfig {
  /** The level of new workspaces. */
  defaultLevel: MaskingLevel;
  /** No workspace is below it. */
  floor: MaskingLevel;
  /** Makes tokens depend on more than what is in the database. */
  secret: string | undefined;
}

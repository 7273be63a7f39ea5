import type { OutcomeDefinition, OutcomeDefinitions } from "@whytrace/contract";

/** The definition that judges an agent. One without a definition of its own has the workspace's, and starts from it. */
export function definitionOf(definitions: OutcomeDefinitions, agent: string | undefined): OutcomeDefinition {
  if (agent === undefined) return definitions.default;
  const own = definitions.agents.find((one) => one.agent === agent);
  return own ?? { ...definitions.default, agent, version: 0, note: null, createdAt: null, createdBy: null };
}

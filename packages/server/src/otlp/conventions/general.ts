import type { Convention } from "./convention.ts";

/** OpenTelemetry's general conventions, and attributes that say what they mean in one instrumentation only. */
export const general: Convention = {
  attributes: {
    "mcp.method.name": "type",
    "error.type": "errorType",
    "error.message": "errorMessage",
    "db.system": "isDatabase",
    "db.system.name": "isDatabase",
    "db.operation": "isDatabase",
    "db.operation.name": "isDatabase",
    "db.statement": "isDatabase",
    "db.query.text": "isDatabase",
    // The arguments in OpenInference, the schema of the arguments in VoltAgent, which has `input`.
    "tool.parameters": "input",
  },
};

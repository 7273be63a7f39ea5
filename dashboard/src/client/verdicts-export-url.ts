/** The user's verdicts with their decisions, as JSON Lines. */
export const VERDICTS_EXPORT_URL = "/api/insights/verdicts/export";

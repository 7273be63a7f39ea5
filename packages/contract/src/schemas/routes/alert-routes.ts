import type {
  changedChannel,
  channel,
  channelList,
  createdChannel,
  DeliveryState,
  deliveryList,
  newChannel,
  resentDelivery,
  rotatedSecret,
  sentTest,
} from "../alerts/channels.ts";
import type {
  alertRule,
  alertRuleList,
  incidentList,
  maintenance,
  maintenanceList,
  mutedRule,
  newMaintenance,
  ruleBody,
  ruleMute,
  rulePreview,
} from "../alerts/rules.ts";
import type { successSchema } from "../success.ts";
import type { Page } from "./queries.ts";

/** Rules, incidents, maintenance and channels. */
export interface AlertRoutes {
  "GET /api/alerts/channels": { response: typeof channelList };
  "POST /api/alerts/channels": { body: typeof newChannel; response: typeof createdChannel };
  "DELETE /api/alerts/channels/:id": { response: typeof successSchema };
  "PATCH /api/alerts/channels/:id": { body: typeof changedChannel; response: typeof channel };
  "GET /api/alerts/channels/:id/deliveries": {
    query: Page & { state?: DeliveryState };
    response: typeof deliveryList;
  };
  "POST /api/alerts/channels/:id/secret": { response: typeof rotatedSecret };
  "POST /api/alerts/channels/:id/test": { response: typeof sentTest };
  "POST /api/alerts/deliveries/:id/resend": { response: typeof resentDelivery };
  "GET /api/alerts/incidents": { query: Page & { ruleId?: string }; response: typeof incidentList };
  "GET /api/alerts/maintenance": { response: typeof maintenanceList };
  "POST /api/alerts/maintenance": { body: typeof newMaintenance; response: typeof maintenance };
  "DELETE /api/alerts/maintenance/:id": { response: typeof successSchema };
  "GET /api/alerts/rules": { response: typeof alertRuleList };
  "POST /api/alerts/rules": { body: typeof ruleBody; response: typeof alertRule };
  "DELETE /api/alerts/rules/:id": { response: typeof successSchema };
  "PATCH /api/alerts/rules/:id": { body: typeof ruleBody; response: typeof alertRule };
  "DELETE /api/alerts/rules/:id/mute": { response: typeof successSchema };
  "POST /api/alerts/rules/:id/mute": { body: typeof ruleMute; response: typeof mutedRule };
  "POST /api/alerts/rules/preview": { body: typeof ruleBody; response: typeof rulePreview };
}

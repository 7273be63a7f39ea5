import type {
  appliedMaskingSchema,
  maskedMatchesSchema,
  maskedSampleSchema,
  maskingAfterSaveSchema,
  maskingSchema,
  savedMaskingSchema,
  stoppedMaskingSchema,
  testedMaskingSchema,
} from "../masking/settings.ts";

/** Masking. */
export interface MaskingRoutes {
  "GET /api/masking": { response: typeof maskingSchema };
  "PUT /api/masking": { body: typeof savedMaskingSchema; response: typeof maskingAfterSaveSchema };
  "DELETE /api/masking/apply": { response: typeof stoppedMaskingSchema };
  "POST /api/masking/apply": { response: typeof appliedMaskingSchema };
  "GET /api/masking/matches": { response: typeof maskedMatchesSchema };
  "POST /api/masking/test": { body: typeof testedMaskingSchema; response: typeof maskedSampleSchema };
}

const MAX_LENGTH = 65_536;

/** A field of a record; null if it is larger than expected. */
export const parsed = (json: string | undefined): unknown =>
  json === undefined || json.length > MAX_LENGTH ? null : JSON.parse(json);

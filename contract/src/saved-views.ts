/** So many views can a user save. */
export const MAX_SAVED_VIEWS_PER_USER = 50;
export const MAX_VIEW_NAME_LENGTH = 100;
export const MAX_VIEW_QUERY_LENGTH = 2_000;

/** A list of traces with filters, sort order and columns, which a user has named. */
export interface SavedView {
  id: string;
  name: string;
  /** The search parameters of the list's page. */
  query: string;
  /** Whether the list opens with this view. */
  isDefault: boolean;
  createdAt: string;
}

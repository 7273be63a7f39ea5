import { type MutationState, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { INSIGHTS_KEY } from "../client/insights-key.ts";
import { useUser } from "../client/session.ts";
import { type Review, saveReview } from "./save-review.ts";
import { SCORES_KEY } from "./scores-query.ts";

const REVIEW_KEY = ["review"];

/** A review that was given since the dashboard was opened. */
export interface GivenReview extends Review {
  status: "pending" | "saved" | "failed";
  error: Error | null;
  /** When it was given. */
  atMs: number;
  /** The one that it replaced, once it is saved. */
  before: boolean | null | undefined;
}

/** Saves reviews, one after the other, so that the last one stands. */
export function useSaveReview() {
  const { id: userId } = useUser();
  const client = useQueryClient();
  return useMutation({
    mutationKey: REVIEW_KEY,
    scope: { id: "review" },
    mutationFn: (review: Review) => saveReview(review, userId),
    onSettled: () =>
      Promise.all([SCORES_KEY, INSIGHTS_KEY].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  }).mutate;
}

/** The reviews that were given lately, on whatever page, the last one last. */
export const useGivenReviews = (): GivenReview[] =>
  useMutationState<MutationState<boolean | null, Error, Review>>({
    filters: { mutationKey: REVIEW_KEY },
  }).flatMap(({ variables, status, error, submittedAt, data }) =>
    variables ? { ...variables, status: STATUSES[status], error, atMs: submittedAt, before: data } : [],
  );

const STATUSES = { idle: "pending", pending: "pending", success: "saved", error: "failed" } as const;

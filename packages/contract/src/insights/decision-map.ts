/** The step of the node that stands for all choices that are too rare to be listed. */
export const OTHER_STEPS = "other";

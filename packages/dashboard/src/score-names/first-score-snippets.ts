const SDK = "@whytrace/sdk";

/** Ways in which the first score comes, each to copy. */
export const firstScoreSnippets = (origin: string) => [
  {
    id: "thumb",
    label: "Thumb on a page",
    about:
      "A token lets a web page set one score on one run, without an API key. It also records that the user was asked.",
    text: `// In the run, on your server:
import { feedbackToken } from "${SDK}/feedback";
const token = feedbackToken("helpful", { author: userId });

// On the page:
const vote = (value) =>
  navigator.sendBeacon("${origin}/api/feedback", JSON.stringify({ token, value }));
thumbsUp.onclick = () => vote(true);
thumbsDown.onclick = () => vote(false);`,
  },
  {
    id: "sdk",
    label: "SDK",
    about: "Inside a run, a score is on the run; on a span's handle, on that span. Later, name the trace.",
    text: `import { score } from "${SDK}";

score("valid json", isValid); // inside a run: a check
score("helpful", false, { traceId, source: "user", author: userId }); // later, from anywhere`,
  },
  {
    id: "otel",
    label: "OpenTelemetry",
    about:
      "Evaluations as OpenTelemetry names them become scores of a judge: an event on a span, or a log record.",
    text: `span.addEvent("gen_ai.evaluation.result", {
  "gen_ai.evaluation.name": "correctness",
  "gen_ai.evaluation.score.value": 0.2,
  "gen_ai.evaluation.score.label": "fail",
  "gen_ai.evaluation.explanation": "The refund went to the wrong order.",
});`,
  },
  {
    id: "http",
    label: "HTTP",
    about:
      "From any language, with an API key of the scope send. A score may come before its trace, or months later.",
    text: `curl ${origin}/api/scores -H "Authorization: Bearer $WHYTRACE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"scores":[{"traceId":"'$TRACE_ID'","name":"helpful","value":false,"source":"user"}]}'`,
  },
  {
    id: "judge",
    label: "Your judge",
    about: "Scores runs with your own module, and says at its end whether people agree with it.",
    text: `// correctness.mjs
export default (run) => ({ value: run.status === "COMPLETED" && !JSON.stringify(run).includes("sorry") });

// In a shell, with a key of the scope review:
whytrace judge --with ./correctness.mjs --name correctness --sample random:200`,
  },
];

import { api } from "../../client/api.ts";
import { isSample } from "../../client/base-path.ts";
import { Code } from "../../ui/code.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { formatDuration } from "../../ui/format/format.ts";
import { ErrorNotice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { Delivery } from "../model/alert-types.ts";
import { useAlertChange } from "../model/use-alert-change.ts";

/** The attempts of a delivery, what was sent, and a way to send it again. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { id, type, messageId, attempts, request } = delivery;
  const resend = useAlertChange(() => api("POST /api/alerts/deliveries/:id/resend", { params: { id } }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Panel
        title={type}
        note={<code className="break-all font-mono">{messageId}</code>}
        legend={
          !isSample && (
            <Button
              disabled={resend.isPending || request === null}
              title={request === null ? "Its body was deleted after 7 days" : undefined}
              onClick={() => resend.mutate()}
            >
              Send again
            </Button>
          )
        }
      >
        {resend.error && <ErrorNotice error={resend.error} />}
        {attempts.length === 0 ? (
          <p className="p-3 text-muted">No attempt yet.</p>
        ) : (
          <ol>
            {attempts.map(({ at, status, durationMs, error, response }, index) => {
              const isOk = status !== null && status >= 200 && status < 300;
              return (
                <li
                  key={at}
                  className="grid grid-cols-[1.5rem_auto_4.5rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-line/60 px-3 py-1.5 last:border-0"
                >
                  <span className="text-muted">{index + 1}</span>
                  <time dateTime={at} title={at} className="tabular-nums">
                    {at.slice(11, 19)}
                  </time>
                  <b className={`font-semibold ${isOk ? "text-completed" : "text-error"}`}>
                    {status ?? "no answer"}
                  </b>
                  <span className="break-words text-muted">
                    {error ?? response ?? ""} {durationMs !== null && formatDuration(durationMs)}
                  </span>
                </li>
              );
            })}
          </ol>
        )}
      </Panel>
      <Panel title="Request" note="the same in every attempt but for time and signature">
        <div className="p-3">
          {request === null ? (
            <p className="text-muted">Bodies are kept for 7 days.</p>
          ) : (
            <Code label="Request" text={pretty(request)} isWrapped />
          )}
        </div>
      </Panel>
    </div>
  );
}

/** JSON with line breaks; another text as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

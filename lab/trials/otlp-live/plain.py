"""A span with an explicit decision, sent as OTLP/JSON with the standard library alone."""

import json
import os
import secrets
import time
import urllib.request


def attributes(values):
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]


start = time.time_ns()
span = {
    "traceId": secrets.token_hex(16),
    "spanId": secrets.token_hex(8),
    "name": "weather_agent",
    "startTimeUnixNano": str(start),
    "endTimeUnixNano": str(start + 5_000_000),
    "attributes": attributes({"whytrace.span.type": "AGENT", "session.id": "conv-1"}),
    "events": [
        {
            "name": "whytrace.decision",
            "timeUnixNano": str(start + 1_000_000),
            "attributes": attributes(
                {
                    "whytrace.decision.type": "TOOL_SELECTION",
                    "whytrace.decision.chosen": "get_weather",
                    "whytrace.decision.alternatives": json.dumps(["get_time"]),
                    "whytrace.decision.reasoning": "The weather changes, so I look it up.",
                }
            ),
        }
    ],
}
request = urllib.request.Request(
    os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces",
    json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode(),
    {"authorization": "Bearer " + os.environ["WHYTRACE_API_KEY"], "content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())

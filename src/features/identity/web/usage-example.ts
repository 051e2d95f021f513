// A command that reports one usage event, ready to be pasted into a shell.

/** `secret` is an API key, or the name of a variable that holds one. */
export function usageExample(secret: string): string {
  return `curl -X POST ${location.origin}/api/usage/events \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/cloudevents+json" \\
  -d '{
    "specversion": "1.0",
    "id": "b1946ac9",
    "source": "/gateways/tpe-1",
    "type": "com.example.api.call",
    "subject": "<subscription id>",
    "time": "2026-11-20T05:43:12Z",
    "data": { "value": "3" }
  }'`;
}

// Commands that use an API key, ready to be pasted into a shell.

/** Reports one usage event. `secret` is an API key, or the name of a variable that holds one. */
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

/** A command that reads the organization's bills. */
export function readExample(secret: string): string {
  return `curl ${location.origin}/api/bills \\
  -H "Authorization: Bearer ${secret}"`;
}

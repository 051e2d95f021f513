// Subscriptions' door for the browser: its calls.


// Splits work into tasks, between which the browser can respond to the user and draw.

/**
 * Ends the current task and continues in the next one. Uses a message, which is delivered without the delay
 * of a timer.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

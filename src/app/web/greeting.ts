// Chooses the greeting for the time of day, by the reader's clock.

export function greetingAt(now: Date): 'greeting.morning' | 'greeting.afternoon' | 'greeting.evening' {
  const hour = now.getHours();
  if (hour >= 5 && hour < 12) return 'greeting.morning';
  return hour >= 12 && hour < 18 ? 'greeting.afternoon' : 'greeting.evening';
}

// Licensing's sentences in English; it says nothing to people yet.
export const enUS = {} as const;

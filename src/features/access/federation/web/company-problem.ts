// The problems that the URL of the company sign-in page may contain; any other text in it is not ours.
const problems = [
  'federation.not_configured',
  'federation.answer_refused',
  'federation.answer_used',
  'federation.answer_late',
  'federation.answer_unasked',
  'federation.provider_refused',
] as const;

/** Whether a text is such a problem. */
export function isCompanyProblem(text: string): text is (typeof problems)[number] {
  return problems.some((problem) => problem === text);
}

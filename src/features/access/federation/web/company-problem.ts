// The problems that the address of the company's page may name; any other text in it is nothing we said.
const problems = [
  'federation.not_configured',
  'federation.answer_refused',
  'federation.answer_used',
  'federation.answer_late',
  'federation.answer_unasked',
  'federation.provider_refused',
] as const;

/** Whether a text names such a problem. */
export function isCompanyProblem(text: string): text is (typeof problems)[number] {
  return problems.some((problem) => problem === text);
}

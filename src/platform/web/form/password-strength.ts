// A rough estimate of how hard a password is to guess, as a hint while typing. The server decides what it
// accepts.

/** The starts of the most guessed passwords, whatever digits and signs follow; the server knows thousands. */
const guessedFirst =
  /^(pass(word|wort)?|p[a@]ssw0rd|qwerty|qwertz|asdf|admin|administrator|root|user|welcome|letmein|iloveyou|login|master|monkey|dragon|sunshine|princess|football|baseball|superman|changeme|secret|test|guest|hello|abc|1q2w3e4r)[^a-z]*$/i;

/** 0 weak, 1 fair, 2 good, 3 strong. Length counts most; repetitions and sequences count little. */
export function passwordStrength(password: string): 0 | 1 | 2 | 3 {
  if (guessedFirst.test(password)) return 0;
  const letters = [...password];
  let news = 0;
  for (const [index, letter] of letters.entries()) {
    const before = letters[index - 1];
    const isRun =
      before !== undefined && Math.abs((letter.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)) <= 1;
    news += isRun ? 0.3 : 1;
  }
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const score = Math.min(news, new Set(letters).size * 1.5) + (kinds - 1) * 1.5;
  if (letters.length < 8 || score < 9) return 0;
  if (score < 13) return 1;
  return score < 17 ? 2 : 3;
}

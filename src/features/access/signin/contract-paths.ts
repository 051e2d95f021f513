// Where the pages of sign-in are; apart from the calls, which only those need who make some.
export const signinPaths = {
  login: '/login',
  register: '/register',
  passwordReset: '/password-reset',
  verifyEmail: '/verify-email',
} as const;

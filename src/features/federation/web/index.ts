// Federation's door for the browser.
export const loadCallbackScreen = () => import('./CallbackScreen.tsx').then((module) => module.CallbackScreen);

// Every path and its screen; code is fetched when the path is opened. Features come in through their doors.
import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { Guard } from './Guard.tsx';
import { Root } from './Root.tsx';
import { Crash } from './screens/Crash.tsx';

/** A route whose screen is fetched when it is opened. */
const screen = (path: string, load: () => Promise<ComponentType>): RouteObject => ({ path, lazy: async () => ({ Component: await load() }) });

const notFound = () => import('./screens/NotFound.tsx').then((module) => module.NotFound);

/** R-SHELL-01: without the shell. */
const bare: RouteObject[] = [
  screen('/', () => import('./screens/Home.tsx').then((module) => module.Home)),
  screen('/404', notFound),
  screen('/session/404', notFound),
  screen('*', notFound),
];

/** R-SHELL-03, R-SHELL-04: inside the shell; the guard asks the menu who may open what. */
const inside: RouteObject[] = [];

if (import.meta.env.DEV) inside.push(screen('/debug/gallery', () => import('./screens/Gallery.tsx').then((module) => module.Gallery)));

export const router = createBrowserRouter([
  {
    element: <Root />,
    errorElement: <Crash />,
    HydrateFallback: () => <Spinner page />,
    children: [
      ...bare,
      {
        lazy: async () => ({ Component: (await import('./Shell.tsx')).Shell }),
        children: [{ element: <Guard />, errorElement: <Crash />, children: inside }],
      },
    ],
  },
]);

// The entry of `npm start`. The program takes a second to load; who started it must be noted before.
import './first-parent.ts';

await import('./start-program.ts');

// Vitest runs this before each test file, also where files share their modules.
import { afterAll } from 'vitest';
import { closeWhatWasOpened } from './clean-up.ts';

afterAll(closeWhatWasOpened);

// Vitest runs this before each test file, also where files share their modules.
import { cleanUpAfterFile } from './clean-up.ts';

cleanUpAfterFile();

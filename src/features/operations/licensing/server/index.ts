// Licensing's public API: its API calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { licensing, licensingErrors } from '../contract.ts';
import { issueLicence, previewLicence, renewLicence } from './issue.ts';
import { publicKey, publicKeys, rotateLicenceKey } from './keys.ts';
import { verifierKit } from './kit.ts';
import { getLicence, licenceFile, listLicences, listLicensable } from './read.ts';
import { revocations, revokeLicence } from './revoke.ts';
import { endingLicencesJob } from './notify-ending.ts';

export const licensingFeature = feature({
  name: 'licensing',
  contract: licensing,
  errors: licensingErrors,
  jobs: [endingLicencesJob],
  verbs: {
    publicKey,
    publicKeys,
    revocations,
    verifierKit,
    listLicences,
    listLicensable,
    previewLicence,
    issueLicence,
    getLicence,
    licenceFile,
    renewLicence,
    revokeLicence,
    rotateLicenceKey,
  },
});

export { presentKey } from './keys.ts';
export { publicKeyFile } from './kit.ts';
export { signatureFile } from './signing.ts';

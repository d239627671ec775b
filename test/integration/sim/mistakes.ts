import { accountChapters } from '../account/mistakes-account.ts';
import { serviceChapters } from '../account/mistakes-service.ts';
import { certificateChapters } from '../certificate/mistakes-certificate.ts';
import { mobileGatewayChapters } from '../gateway/mistakes.ts';
import { siteChapters } from '../site/mistakes-site.ts';
import type { Chapter } from './mistake.ts';
import { gatewayChapters } from './mistakes-gateway.ts';
import { simsNotReady } from './mistakes-not-ready.ts';
import { refusedSims } from './mistakes-refused.ts';

/** Every mistake a manifest or an account can hold: docs/mistakes.md is made from it, and each is tested. */
export const mistakeChapters: readonly Chapter[] = [
  ...refusedSims,
  ...simsNotReady,
  ...gatewayChapters,
  ...mobileGatewayChapters,
  ...siteChapters,
  ...certificateChapters,
  ...accountChapters,
  ...serviceChapters,
];

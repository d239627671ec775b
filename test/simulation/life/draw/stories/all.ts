import { begun } from './begun.ts';
import { expiry } from './expiry.ts';
import { interrupted } from './interrupted.ts';
import { letGo } from './let-go.ts';
import { oneTimeSecret } from './one-time-secret.ts';
import { putRight } from './put-right.ts';
import { renewed } from './renewed.ts';
import { siteDrift } from './site-drift.ts';
import { siteSettings } from './site-settings.ts';
import type { Story } from './story.ts';
import { twoForOne } from './two-for-one.ts';
import { wrongCertificate } from './wrong-certificate.ts';

/** In the order in which seeds tell them; append, so that a seed keeps its story for as long as possible. */
export const stories: readonly Story[] = [
  interrupted,
  siteSettings,
  oneTimeSecret,
  renewed,
  wrongCertificate,
  expiry,
  siteDrift,
  twoForOne,
  putRight,
  letGo,
  begun,
];

/** The story of a seed: of every second one. */
export function storyOf(seed: number): Story | undefined {
  return seed % 2 === 0 ? stories[(seed / 2) % stories.length] : undefined;
}

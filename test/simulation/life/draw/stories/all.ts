import { accountLast } from './account-last.ts';
import { allAtOnce } from './all-at-once.ts';
import { interrupted } from './interrupted.ts';
import { otherCredentials } from './other-credentials.ts';
import { pausedAccount } from './paused-account.ts';
import { quietHour } from './quiet-hour.ts';
import { refusedDeletion } from './refused-deletion.ts';
import { spentHour } from './spent-hour.ts';
import type { Story } from './story.ts';
import { unclearCreation } from './unclear-creation.ts';
import { whoseItIs } from './whose-it-is.ts';

/** In the order in which seeds tell them; append, so that a seed keeps its story for as long as possible. */
export const stories: readonly Story[] = [
  interrupted,
  unclearCreation,
  whoseItIs,
  refusedDeletion,
  spentHour,
  quietHour,
  otherCredentials,
  accountLast,
  pausedAccount,
  allAtOnce,
];

/** The story of a seed: of every second one. */
export function storyOf(seed: number): Story | undefined {
  return seed % 2 === 0 ? stories[(seed / 2) % stories.length] : undefined;
}

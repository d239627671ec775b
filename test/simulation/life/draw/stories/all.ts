import { addressesChangeHands } from './addresses.ts';
import { interrupted } from './interrupted.ts';
import { madeGateway } from './made-gateway.ts';
import { moves } from './moves.ts';
import { newSims } from './new-sims.ts';
import { oldGateway } from './old-gateway.ts';
import { outOfService } from './out-of-service.ts';
import type { Story } from './story.ts';
import { takenOver } from './taken-over.ts';
import { twoAccounts } from './two-accounts.ts';
import { waiting } from './waiting.ts';

/** In the order in which seeds tell them; append, so that a seed keeps its story for as long as possible. */
export const stories: readonly Story[] = [
  interrupted,
  addressesChangeHands,
  moves,
  waiting,
  newSims,
  outOfService,
  takenOver,
  oldGateway,
  madeGateway,
  twoAccounts,
];

/** The story of a seed: of every second one. */
export function storyOf(seed: number): Story | undefined {
  return seed % 2 === 0 ? stories[(seed / 2) % stories.length] : undefined;
}

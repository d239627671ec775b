import { cellsOfSeed } from '../cells.ts';
import { everyFault } from './every-fault.ts';
import { interrupted } from './interrupted.ts';
import type { Story } from './story.ts';

/** In the order in which seeds tell them; append, so that a seed keeps its story for as long as possible. */
export const stories: readonly Story[] = [interrupted];

/** The story of a seed: of every second one, and of those that are to meet faults of the table. */
export function storyOf(seed: number): Story | undefined {
  const cells = cellsOfSeed(seed);
  if (cells.length > 0) return everyFault(cells);
  return seed % 2 === 0 ? stories[(seed / 2) % stories.length] : undefined;
}
